import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a program `aws` into `programs` that replays the answers of CloudWatch Logs to a query, from the file `results` of
 * `folder`, and prints `output` for the output of a stack. It adds its arguments to the file `asked` of `folder`.
 */
export const writeAwsProgram = (folder: string, programs: string, output: string): void => {
  const aws = join(programs, 'aws');
  writeFileSync(
    aws,
    `#!/bin/sh
printf '%s\\n' "$@" >> '${folder}/asked'
case "$2" in
  start-query) echo 12ab34cd-query ;;
  get-query-results) cat '${folder}/results' ;;
  *) echo '${output}' ;;
esac
`,
  );
  chmodSync(aws, 0o755);
};
