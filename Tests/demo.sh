#!/bin/sh
# Shows settingsd at work: a private bus and home, the real activation file, live output, the files it keeps.
# usage: demo.sh DIR   (the folder with settingsd and settingsctl)
set -eu
bin=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
root=$(mktemp -d "${TMPDIR:-/tmp}/settingsd-demo.XXXXXX")
bus_pid=
watch_pid=
cleanup() {
    [ -z "$watch_pid" ] || kill "$watch_pid" 2>/dev/null || true
    [ -z "$bus_pid" ] || kill "$bus_pid" 2>/dev/null || true # the daemon ends with its bus
    wait
    rm -rf "$root"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

mkdir -p "$root/home" "$root/run" "$root/services"
chmod 700 "$root/run"
export HOME="$root/home" XDG_RUNTIME_DIR="$root/run" PATH="$bin:$PATH"
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_CONFIG_DIRS XDG_DATA_DIRS XDG_DATA_HOME DBUS_STARTER_ADDRESS
sed "s|@bindir@|$bin|" "$source/dbus/org.settingsd.Settings1.service.in" >"$root/services/org.settingsd.Settings1.service"
cat >"$root/bus.conf" <<END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=$root/run/bus</listen>
  <auth>EXTERNAL</auth>
  <servicedir>$root/services</servicedir>
  <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>
END
export DBUS_SESSION_BUS_ADDRESS="unix:path=$root/run/bus"

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
plain() { printf '\n%s\n' "$*"; }
if ! [ -t 1 ] || [ -n "${NO_COLOR:-}" ]; then say() { plain "$@"; }; fi
# quoted WORD…: prints the words as somebody would type them
quoted() {
    for word; do
        case $word in
            '' | *[!A-Za-z0-9_./:@=+,%-]*) printf " '%s'" "$(printf %s "$word" | sed "s/'/'\\\\''/g")" ;;
            *) printf ' %s' "$word" ;;
        esac
    done
}
show() {
    printf '$%s\n' "$(quoted "$@")"
    "$@" || printf '(exit status %s)\n' "$?"
}

# within COMMAND: tries it again, 5 s at most, until it succeeds
within() {
    tries=0
    until "$@" 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 500 ] || {
            echo "demo: waited 5 s in vain for: $*" >&2
            exit 1
        }
        sleep 0.01
    done
}

dbus-daemon --config-file="$root/bus.conf" --nofork --nopidfile 2>"$root/bus.log" &
bus_pid=$!
within test -S "$root/run/bus"

say 'A program follows every change (the daemon is not running yet; this call starts it):'
printf '$ settingsctl watch &\n'
settingsctl watch >"$root/watch" &
watch_pid=$!
within grep -q licenses "$root/watch"
snapshot=$(wc -l <"$root/watch")

say 'Changes, each durable before the command returns:'
show settingsctl set provider spotify
show settingsctl set profile.name 'Ada Lovelace'
show settingsctl dispatch LinkAccount account=ada@example.org
show settingsctl dispatch SetSupportLink link=help url=https://example.org/help
show settingsctl set provider tidal

say 'A refused one leaves everything as it was, and says what would be right:'
show settingsctl set provider spotfy

say 'What the other program saw meanwhile:'
within grep -q tidal "$root/watch"
tail -n "+$((snapshot + 1))" "$root/watch" | sed 's/^/watch> /'

say 'The values now, and where each comes from:'
show settingsctl list profile provider support.help

say 'Taking the last change back brings the account back too:'
show settingsctl undo

say 'The document, for people, editors and git:'
document="$root/home/.config/settingsd/settings.json"
within grep -q '"revision": 6' "$document" # under load it follows the journal a few times a second
show cat "$document"

say 'The journal, from which nothing acknowledged is lost (its last line):'
show tail -n 1 "$root/home/.local/state/settingsd/journal.jsonl"

say 'How it is:'
show settingsctl status
