import { execFileSync } from 'node:child_process';

/** Runs the AWS CLI, and returns its output. Its own messages go to standard error. @throws {Error} if it fails */
export const runAwsCli = (args: readonly string[]): string =>
  execFileSync('aws', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

/** Returns an output of a stack. @throws {Error} if the AWS CLI fails */
export const readStackOutput = (stack: string, name: string): string =>
  runAwsCli([
    ...['cloudformation', 'describe-stacks', '--stack-name', stack],
    ...['--query', `Stacks[0].Outputs[?OutputKey=='${name}'].OutputValue`, '--output', 'text'],
  ]);
