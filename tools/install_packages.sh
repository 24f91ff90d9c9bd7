#!/usr/bin/env bash
# Installs the Debian packages that the given purposes need and the machine lacks: build, library, extension (for
# Python), test, browser (for the drawn report), wheel, fuzz, bench, paper, lint.
# With --line first it installs nothing and prints the command that would.
set -euo pipefail

library="g++ libeigen3-dev libfmt-dev libhwy-dev nlohmann-json3-dev libfast-float-dev zlib1g-dev libbz2-dev"
declare -A packages=(
  [library]="$library"
  [build]="$library cmake ninja-build libcli11-dev"
  [extension]="python3-dev"
  [test]="libgtest-dev python3 python3-dev python3-venv python3-pip"
  [browser]="chromium-headless-shell"
  [wheel]="python3 python3-dev python3-venv python3-pip"
  [fuzz]="clang-14 libclang-rt-14-dev"
  [bench]="python3-venv python3-pip"
  [paper]="python3-venv python3-pip"
  [lint]="clang-format clang-tidy"
)

line=
if [ "${1:-}" = --line ]; then
  line=yes
  shift
fi
needed=()
for purpose in "$@"; do
  if [ -z "${packages[$purpose]:-}" ]; then
    echo "$0: no purpose '$purpose'; expected some of: build library extension test browser wheel fuzz bench paper lint" >&2
    exit 2
  fi
  # shellcheck disable=SC2206  # split into words on purpose
  needed+=(${packages[$purpose]})
done

if [ -n "$line" ]; then
  echo "sudo apt-get install -y ${needed[*]}"
  exit 0
fi
if ! command -v dpkg-query >/dev/null; then
  echo "Not a Debian system, so nothing was installed. Needed, by their Debian names: ${needed[*]}" >&2
  exit 0
fi

missing=()
for name in "${needed[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$name" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$name")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=(env)
elif sudo -n true 2>/dev/null; then
  as_root=(sudo -n env)
else
  echo "Packages are missing and need an administrator. Run: sudo apt-get install -y ${missing[*]}" >&2
  exit 1
fi

echo "Installing ${missing[*]}"
apt=("${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
"${apt[@]}" update >/dev/null || echo "The package lists could not be refreshed; trying with the old ones." >&2
"${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null
