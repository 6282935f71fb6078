#!/bin/bash
# Installs the package with its Pi extras in an emulated aarch64 Debian, runs `companion check` and the engine's tests.
# Needs root, mmdebstrap, arch-test and qemu-user-static; the first run takes about a quarter of an hour, the root is kept.
# lgpio comes as a wheel: apt has it only on Raspberry Pi OS.
#   sudo tools/try-arm64.sh [FOLDER]        (default: /var/tmp/companion-arm64)
set -euo pipefail
project=$(cd "$(dirname "$0")/.." && pwd)
work=${1:-/var/tmp/companion-arm64}
root=$work/root
wheels=$work/wheels
python=${PYTHON:-$project/.venv/bin/python}

[ "$(id -u)" = 0 ] || { echo "try-arm64: needs root: sudo tools/try-arm64.sh" >&2; exit 1; }
for program in mmdebstrap arch-test qemu-aarch64-static; do
    command -v $program >/dev/null ||
        { echo "try-arm64: sudo apt install mmdebstrap arch-test qemu-user-static binfmt-support" >&2; exit 1; }
done
mkdir -p "$work"
if [ ! -f /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then
    mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
    update-binfmts --enable qemu-aarch64
fi
if [ ! -f "$work/root.ready" ]; then
    rm -rf "$root"
    mmdebstrap --variant=minbase --architectures=arm64 --include=python3-venv bookworm "$root"
    touch "$work/root.ready"
fi

echo "== wheels for aarch64, downloaded here"
mkdir -p "$wheels"
"$python" -m pip wheel --quiet --no-deps --wheel-dir "$wheels" "$project"
package=$(ls -t "$wheels"/icelight-*.whl | head -1)
"$python" -m pip download --quiet --dest "$wheels" --constraint "$project/constraints.txt" --only-binary :all: \
    --python-version 3.11 --implementation cp --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 \
    --platform manylinux_2_17_aarch64 --platform manylinux_2_34_aarch64 "$package[pi]" "lgpio>=0.2" pytest hypothesis

echo "== inside the emulated root"
rm -rf "$root/try" && mkdir -p "$root/try"
cp -r "$wheels" "$root/try/wheels"
cp -r "$project/tests" "$project/docs" "$project/pyproject.toml" "$root/try/"
chroot "$root" /bin/sh -eu -c '
    cd /try
    python3 -m venv --system-site-packages venv
    venv/bin/pip install --quiet --no-index --find-links wheels "icelight[pi]" lgpio pytest hypothesis
    ln -s venv/lib/python3.11/site-packages/engine engine  # some tests read the sources: those that were installed
    uname -m
    venv/bin/python -c "import cv2, gpiozero, lgpio; print(\"OpenCV\", cv2.__version__, \"and lgpio load\")"
    venv/bin/companion check
    venv/bin/python -m pytest -q -p no:cacheprovider -m "not slow and not pi" tests/engine
'
