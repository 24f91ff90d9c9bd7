// The files of src/report/page/ as texts inside the program; CMake writes their definitions.
#pragma once

namespace ellzero::report {

extern const char* const report_page;
extern const char* const report_style;
extern const char* const report_charts;
extern const char* const report_script;

}  // namespace ellzero::report
