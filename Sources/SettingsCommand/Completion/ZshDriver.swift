extension Shell {
    /// What zsh calls for a command line: words, CURRENT and PREFIX in (zshcompsys(1), zshcompwid(1)).
    static let zshDriver = #"""
        _settingsctl() {
            local current=$PREFIX command= literal= value= app= word topic= after= text
            local -a operands kinds closed open
            for word in "${(@Q)words[2,CURRENT-1]}"; do
                if [[ -n $value ]]; then
                    [[ $value != APP ]] || app=$word
                    value=
                elif [[ -n $literal || $word != -* ]]; then
                    if [[ -n $command ]]; then operands+=("$word"); else command=$word; fi
                elif [[ $word == -- ]]; then
                    literal=1
                elif [[ $word == --app=* ]]; then
                    app=${word#*=}
                else
                    value=${"$(_settingsctl_words "value of $word")"%%$'\t'*}
                fi
            done

            if [[ -n $value ]]; then
                [[ $value != CMD ]] || _command_names -e
                [[ $value == APP ]] || return
                topic=APP
            elif [[ -z $literal && $current == -* ]]; then
                topic="options $command"
            elif [[ -z $command ]]; then
                topic=COMMAND
            else
                kinds=(${${(f)"$(_settingsctl_words "operands $command")"}%%$'\t'*})
                topic=${kinds[$#operands + 1]-}
                if [[ -z $topic && ${kinds[-1]-} == *... ]]; then topic=$kinds[-1]; fi
            fi

            case ${topic%...} in
            FILE)
                _files
                return
                ;;
            KEY=VALUE)
                topic=KEY
                if [[ $current == *=* ]]; then
                    topic="${current%%=*}="
                    compset -P 1 '*='
                elif (( $#operands )) && [[ $operands[1] == *=* ]]; then
                    after='='
                elif (( $#operands )); then
                    topic="$operands[1]="
                    (( $#operands == 1 )) || return
                fi
                ;;
            VALUE)
                topic="item of $operands[1]"
                ;;
            NAME=VALUE)
                topic=$operands[1]
                if [[ $current == *=* ]]; then
                    topic="$topic ${current%%=*}="
                    compset -P 1 '*='
                fi
                ;;
            esac

            if [[ -n $app || $topic == APP ]]; then
                text=$(command settingsctl ${app:+-a} ${app:+"$app"} completions zsh "${topic%...}" 2>/dev/null)
            else
                text=$(_settingsctl_words "${topic%...}")
            fi
            for word in "${(@f)text}"; do
                text=${word%%$'\t'*}$after
                word=${text//:/\\:}:${word#*$'\t'}
                if [[ $text == *[=:] ]]; then open+=("$word"); elif [[ -n $text ]]; then closed+=("$word"); fi
            done
            _describe -t settingsctl settingsctl closed -- open -S ''
        }

        if [[ ${funcstack[1]-} == _settingsctl ]]; then
            _settingsctl "$@"
        elif (( $+functions[compdef] )); then
            compdef _settingsctl settingsctl
        fi

        """#
}
