#!/bin/sh
# Installs the companion on Raspberry Pi OS (Bookworm or newer), as a service of its own user.
#
#   ./install.sh --dry-run     show every command, change nothing
#   sudo ./install.sh          install or update; safe to run again
#   sudo ./install.sh --uninstall [--purge]   remove it; --purge also removes settings and games
#
# What it does, in order: apt packages, user and groups, a venv in /opt/companion, udev rule, SPI in config.txt,
# the systemd unit. Settings and games live in /var/lib/companion.
# INSTALL_ROOT=/some/folder puts the files there instead of /, for tests; then apt, users and systemctl are only printed.
set -eu

HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=${INSTALL_ROOT:-}
APP=/opt/companion
DATA=/var/lib/companion
APT="python3-venv python3-picamera2 python3-lgpio"
GROUPS_WANTED="gpio spi video render"
DRY=no
MODE=install
PURGE=no

for argument in "$@"; do
    case $argument in
        --dry-run) DRY=yes ;;
        --uninstall) MODE=uninstall ;;
        --purge) PURGE=yes ;;
        -h | --help) sed -n '2,11p' "$0" | sed 's/^# \{0,1\}//'; exit 0 ;;
        *) echo "install.sh: unknown option '$argument'; see ./install.sh --help" >&2; exit 2 ;;
    esac
done

say() { echo "==> $*"; }

# Runs a command, or only prints it.
run() {
    if [ "$DRY" = yes ]; then echo "    $*"; else "$@"; fi
}

# Commands that concern the whole system: only printed when the files go to another root.
system() {
    if [ "$DRY" = yes ] || [ -n "$ROOT" ]; then echo "    $*"; else "$@"; fi
}

need_root() {
    if [ "$DRY" = no ] && [ -z "$ROOT" ] && [ "$(id -u)" != 0 ]; then
        echo "install.sh: needs root: sudo ./install.sh (or look first: ./install.sh --dry-run)" >&2
        exit 1
    fi
}

# The firmware's settings: newer place first.
config_file() {
    for path in /boot/firmware/config.txt /boot/config.txt; do
        if [ -f "$ROOT$path" ]; then echo "$ROOT$path"; return; fi
    done
}

model() { tr -d '\0' < "$ROOT/proc/device-tree/model" 2>/dev/null || true; }

# Adds a line to config.txt unless it is there; keeps the file as it was beside it, once.
# A line counts only for the models of the section above it, so one for all of them goes under [all].
add_line() {
    if grep -qxF "$2" "$1"; then echo "    $1 has $2"; return; fi
    [ -f "$1.before-companion" ] || run cp "$1" "$1.before-companion"
    if [ "$DRY" = yes ]; then echo "    add '$2' to $1"; return; fi
    case $(grep '^\[' "$1" | tail -n 1) in
        "" | "[all]"*) ;;
        *) printf '[all]\n' >> "$1" ;;
    esac
    printf '%s\n' "$2" >> "$1"
}

install_packages() {
    say "packages from apt"
    system apt-get -qq update
    # shellcheck disable=SC2086 # a list
    system env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install $APT
}

make_user() {
    say "user companion with groups $GROUPS_WANTED"
    id companion >/dev/null 2>&1 || system useradd --system --home-dir "$DATA" --shell /usr/sbin/nologin companion
    for group in $GROUPS_WANTED; do
        getent group "$group" >/dev/null 2>&1 || system groupadd --system "$group"
        system usermod -aG "$group" companion
    done
}

# A fresh venv beside the old one; the old one stays until the new one has passed its check, and as venv.previous after.
make_venv() {
    say "program in $APP/venv"
    run mkdir -p "$ROOT$APP" "$ROOT$DATA"
    run rm -rf "$ROOT$APP/venv.new"
    system /usr/bin/python3 -m venv --system-site-packages "$APP/venv.new"
    system "$APP/venv.new/bin/python" -m pip install --quiet --constraint "$HERE/constraints.txt" "$HERE[pi]"
    system "$APP/venv.new/bin/python" -m companion.cli --help
    if [ "$DRY" = no ] && [ -z "$ROOT" ]; then
        rm -rf "$APP/venv.previous"
        [ -d "$APP/venv" ] && mv "$APP/venv" "$APP/venv.previous"
        mv "$APP/venv.new" "$APP/venv"
        # scripts of a venv name its folder
        grep -rlF "$APP/venv.new" "$APP/venv/bin" | xargs -r sed -i "s|$APP/venv.new|$APP/venv|g"
        chown -R companion:companion "$DATA"
    fi
}

set_up_devices() {
    say "devices: udev rule, SPI"
    run install -D -m 0644 "$HERE/systemd/60-companion.rules" "$ROOT/etc/udev/rules.d/60-companion.rules"
    system udevadm control --reload
    config=$(config_file)
    if [ -z "$config" ]; then
        echo "    no config.txt here: not a Raspberry Pi, SPI is left alone"
        return
    fi
    add_line "$config" "dtparam=spi=on"
    case $(model) in
        *"Raspberry Pi 4"* | *"Compute Module 4"*) add_line "$config" "core_freq_min=500" ;;
        *"Raspberry Pi 3"* | *"Zero 2"*) add_line "$config" "core_freq=250" ;;
    esac
}

install_service() {
    say "service"
    for unit in companion.service companion-kiosk.service companion-kiosk.target; do
        run install -D -m 0644 "$HERE/systemd/$unit" "$ROOT/etc/systemd/system/$unit"
    done
    system systemctl daemon-reload
    system systemctl enable companion.service
    system systemctl restart companion.service
}

uninstall() {
    say "stop and remove the service"
    system systemctl disable --now companion.service companion-kiosk.target || true
    for path in /etc/systemd/system/companion.service /etc/systemd/system/companion-kiosk.service \
        /etc/systemd/system/companion-kiosk.target /etc/udev/rules.d/60-companion.rules; do
        run rm -f "$ROOT$path"
    done
    system systemctl daemon-reload
    run rm -rf "$ROOT$APP"
    config=$(config_file)
    if [ -n "$config" ] && [ -f "$config.before-companion" ]; then
        say "$config stays as it is; what it was before is in $config.before-companion"
    fi
    if [ "$PURGE" = yes ]; then
        say "remove settings and games"
        run rm -rf "$ROOT$DATA"
        if id companion >/dev/null 2>&1; then system userdel companion; fi
    else
        say "settings and games stay in $DATA (--purge removes them)"
    fi
}

need_root
if [ "$MODE" = uninstall ]; then
    uninstall
    exit 0
fi
install_packages
make_user
make_venv
set_up_devices
install_service
say "done. Restart once if SPI was switched on: sudo reboot"
say "then: $APP/venv/bin/companion check"
