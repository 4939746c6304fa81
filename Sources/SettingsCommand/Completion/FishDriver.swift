extension Shell {
    /// What fish calls for a command line: prints each candidate with a tab and its summary (complete(1)).
    static let fishDriver = #"""
        function _settingsctl_complete
            set -l current (commandline -ct)
            set -l tokens (commandline -opc)
            set -l command ''
            set -l operands
            set -l literal ''
            set -l value ''
            set -l app
            set -e tokens[1]
            for token in $tokens
                if test -n "$value"
                    test "$value" = APP; and set app -a $token
                    set value ''
                else if test -n "$literal"; or not string match -q -- '-*' $token
                    if test -n "$command"
                        set -a operands $token
                    else
                        set command $token
                    end
                else if test "$token" = --
                    set literal 1
                else if string match -q -- '--app=*' $token
                    set app -a (string replace -- '--app=' '' $token)
                else
                    set value (_settingsctl_words "value of $token" | string replace -r '\t.*' '')
                end
            end

            set -l topic ''
            set -l before ''
            set -l after ''
            if test -n "$value"
                test "$value" = CMD; and __fish_complete_command
                test "$value" = APP; or return
                set topic APP
            else if test -z "$literal"; and string match -q -- '-*' $current
                set topic "options $command"
            else if test -z "$command"
                set topic COMMAND
            else
                set -l kinds (_settingsctl_words "operands $command" | string replace -r '\t.*' '')
                set -l index (math (count $operands) + 1)
                if test $index -le (count $kinds)
                    set topic $kinds[$index]
                else if string match -q -- '*...' $kinds[-1]
                    set topic $kinds[-1]
                end
            end

            switch (string replace -r '\.\.\.$' '' -- $topic)
                case FILE
                    __fish_complete_path $current
                    return
                case 'KEY=VALUE'
                    set topic KEY
                    if string match -q -- '*=*' $current
                        set before (string replace -r '=.*' '=' -- $current)
                        set topic $before
                    else if string match -q -- '*=*' $operands[1]
                        set after '='
                    else if test (count $operands) -eq 1
                        set topic "$operands[1]="
                    else if test (count $operands) -gt 1
                        return
                    end
                case VALUE
                    set topic "item of $operands[1]"
                case 'NAME=VALUE'
                    set topic $operands[1]
                    if string match -q -- '*=*' $current
                        set before (string replace -r '=.*' '=' -- $current)
                        set topic "$topic $before"
                    end
            end

            set topic (string replace -r '\.\.\.$' '' -- $topic)
            set -l lines
            if test -n "$app"; or test "$topic" = APP
                set lines (command settingsctl $app completions fish $topic 2>/dev/null)
            else
                set lines (_settingsctl_words $topic)
            end
            for line in $lines
                set -l word (string split -m 1 \t -- $line)
                printf '%s\t%s\n' $before$word[1]$after $word[2]
            end
        end

        complete -c settingsctl -e
        complete -c settingsctl -f -a '(_settingsctl_complete)'

        """#
}
