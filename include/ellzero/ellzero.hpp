// ellzero: best subset selection with proof. Include this one header.
#pragma once

#include "ellzero/dataset.hpp"
#include "ellzero/error.hpp"
#include "ellzero/evaluate.hpp"
#include "ellzero/every_k.hpp"
#include "ellzero/fit.hpp"
#include "ellzero/observer.hpp"
#include "ellzero/pool.hpp"
#include "ellzero/proof.hpp"
#include "ellzero/prove.hpp"
#include "ellzero/result.hpp"
#include "ellzero/settings.hpp"
#include "ellzero/settings_table.hpp"
#include "ellzero/status.hpp"
#include "ellzero/verify.hpp"
#include "ellzero/version.hpp"
