#!/bin/sh
# Installs the Debian packages named as arguments that are missing, when it may; otherwise says what to do.
missing=""
for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
advice="sudo apt install$missing"
if ! command -v apt-get >/dev/null; then
    echo "make: no apt-get here; tests that need$missing will be skipped"
    exit 0
fi
if [ "$(id -u)" = 0 ]; then as_root=""
elif sudo -n true 2>/dev/null; then as_root="sudo -n"
else
    echo "make: not root; tests that need$missing will be skipped ($advice)"
    exit 0
fi
echo "make: installing$missing for the tests"
install() {
    # shellcheck disable=SC2086 # a list of packages
    $as_root env DEBIAN_FRONTEND=noninteractive timeout 600 apt-get -qq -y -o DPkg::Lock::Timeout=300 --no-install-recommends install $missing
}
if ! install >/dev/null 2>&1; then
    $as_root timeout 300 apt-get -qq update >/dev/null 2>&1
    install >/dev/null 2>&1 || echo "make: apt-get could not install$missing; their tests will be skipped ($advice)"
fi
exit 0
