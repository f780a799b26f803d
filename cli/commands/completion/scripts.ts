/**
 * What each shell needs to ask `registry __complete` for candidates. It answers with lines of a word and,
 * after a tab, what it means; where it knows none, the shell offers files.
 */
export const completionScripts = {
  bash: `_registry() {
  local line=\${COMP_LINE:0:COMP_POINT} words word begun stem
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  # Bash completes what follows the last of these characters, which names and versions have.
  begun=\${words[\${#words[@]}-1]} stem=
  [[ $begun == *[$COMP_WORDBREAKS]* ]] && stem=\${begun%"\${begun##*[$COMP_WORDBREAKS]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("\${word#"$stem"}")
  done < <(registry __complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _registry registry
`,
  zsh: `#compdef registry
_registry() {
  local -a candidates
  candidates=("\${(@f)$(registry __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=("\${(@)candidates:#}")
  candidates=("\${(@)candidates//:/\\\\:}")
  candidates=("\${(@)candidates/$'\\t'/:}")
  if (( $#candidates )); then
    _describe registry candidates
  else
    _files
  fi
}
if [ "$funcstack[1]" = _registry ]; then _registry "$@"; else compdef _registry registry; fi
`,
  fish: `function __registry_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l candidates (registry __complete -- $words[2..] 2>/dev/null)
  if test (count $candidates) -gt 0
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c registry -f -a '(__registry_complete)'
`,
} as const;

/** A shell that commands can be completed in. */
export type Shell = keyof typeof completionScripts;

export const shells = Object.keys(completionScripts) as Shell[];
