extension Shell {
    /// What bash calls for a command line: COMP_WORDS and its kin in, COMPREPLY out (bash(1), "Programmable Completion").
    static let bashDriver = #"""
        _settingsctl() {
            local line=${COMP_LINE:0:COMP_POINT} words=() part i
            # bash takes a word apart at = and : too; what stands together is one word.
            for ((i = 0; i <= COMP_CWORD; i++)); do
                part=${COMP_WORDS[i]}
                if ((i == 0)) || [[ $line == [[:space:]]* ]]; then
                    line=${line#"${line%%[![:space:]]*}"}
                    words+=('')
                fi
                ((i < COMP_CWORD)) || part=$line
                words[-1]+=$part
                line=${line#"$part"}
            done

            local current=${words[-1]} command='' operands=() literal='' value='' app='' word
            for word in "${words[@]:1:${#words[@]}-2}"; do
                if [[ $value ]]; then
                    [[ $value != APP ]] || app=$word
                    value=
                elif [[ $literal || $word != -* ]]; then
                    if [[ $command ]]; then operands+=("$word"); else command=$word; fi
                elif [[ $word == -- ]]; then
                    literal=1
                elif [[ $word == --app=* ]]; then
                    app=${word#*=}
                else
                    value=$(_settingsctl_words "value of $word")
                fi
            done

            COMPREPLY=()
            local topic='' before='' after='' kinds=() count=${#operands[@]}
            if [[ $value ]]; then
                [[ $value != CMD ]] || mapfile -t COMPREPLY < <(compgen -c -- "$current")
                [[ $value == APP ]] || return
                topic=APP
            elif [[ ! $literal && $current == -* ]]; then
                topic="options $command"
            elif [[ ! $command ]]; then
                topic=COMMAND
            else
                mapfile -t kinds < <(_settingsctl_words "operands $command")
                topic=${kinds[count]-}
                if [[ ! $topic && ${#kinds[@]} -gt 0 && ${kinds[-1]} == *... ]]; then topic=${kinds[-1]}; fi
            fi

            case ${topic%...} in
            FILE)
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -f -- "$current")
                return
                ;;
            KEY=VALUE)
                topic=KEY
                if [[ $current == *=* ]]; then
                    before=${current%%=*}=
                    topic=$before
                elif ((count > 0)) && [[ ${operands[0]} == *=* ]]; then
                    after='='
                elif ((count > 0)); then
                    topic="${operands[0]}="
                    ((count == 1)) || return
                fi
                ;;
            VALUE)
                topic="item of ${operands[0]}"
                ;;
            NAME=VALUE)
                topic=${operands[0]}
                if [[ $current == *=* ]]; then
                    before=${current%%=*}=
                    topic="$topic $before"
                fi
                ;;
            esac

            local words_of_topic
            if [[ $app || $topic == APP ]]; then
                mapfile -t words_of_topic < <(command settingsctl ${app:+-a "$app"} completions bash "${topic%...}" 2>/dev/null)
            else
                mapfile -t words_of_topic < <(_settingsctl_words "${topic%...}")
            fi
            for word in "${words_of_topic[@]}"; do
                word=$before${word%%$'\t'*}$after
                [[ $word == "$current"* ]] || continue
                [[ $word != *[=:] ]] || compopt -o nospace 2>/dev/null
                COMPREPLY+=("$word")
            done
            # What bash puts in takes the place of what follows the last = or :, where these part words.
            local mark cut=''
            for mark in = :; do
                if [[ $COMP_WORDBREAKS == *$mark* && $current == *$mark* ]]; then
                    part=${current%"${current##*"$mark"}"}
                    ((${#part} <= ${#cut})) || cut=$part
                fi
            done
            COMPREPLY=("${COMPREPLY[@]#"$cut"}")
        }

        complete -F _settingsctl settingsctl

        """#
}
