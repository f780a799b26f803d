import packageJson from '../package.json' with { type: 'json' };

/** Returns whether the command only lists, and may stop when its reader does. `--fail-on` still needs its verdict. */
const isEndless = (args: readonly string[]): boolean =>
  args.some((word) => word === '--all' || word === '--follow') &&
  !args.some((word) => word.startsWith('--fail-on'));

/**
 * Handles a closed or failing output. After a reader such as `head` has closed the pipe, the command goes on without output,
 * so that its work and exit code stay the same. If results cannot be written, it ends with 3.
 */
const handleOutputErrors = (args: readonly string[]): void => {
  let isGone = false;
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (isGone) return;
    isGone = code === 'EPIPE';
    if (isGone) {
      if (isEndless(args)) process.exit();
      return;
    }
    process.stderr.write(`error: the result cannot be written: ${message}\n`);
    process.exit(3);
  });
  // Messages are lost, but the exit code still reports the outcome.
  process.stderr.on('error', () => {});
};

const main = async (args: readonly string[]): Promise<number> => {
  handleOutputErrors(args);
  // Loading all commands takes time.
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${packageJson.version}\n`);
    return 0;
  }
  const { run } = await import('./run.ts');
  return run(args);
};

process.exitCode = await main(process.argv.slice(2));
