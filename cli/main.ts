import packageJson from '../package.json' with { type: 'json' };
import { oldestNode } from './oldest-node.ts';

const isTooOld = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
};

/** Whether the command reads for as long as somebody wants more, and has no verdict to come to. */
const isEndless = (args: readonly string[]): boolean =>
  args.some((word) => word === '--all' || word === '--follow') &&
  !args.some((word) => word.startsWith('--fail-on'));

/**
 * Where whoever reads has seen enough, such as `head`, nothing more is shown, and the command ends as it would have: a
 * verdict holds, and work is done, whoever looks on. Where results cannot be written, the command fails.
 */
const watchOutput = (args: readonly string[]): void => {
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
  // Nobody can be told, but the exit code still tells how the command went.
  process.stderr.on('error', () => {});
};

const main = async (args: readonly string[]): Promise<number> => {
  if (isTooOld()) {
    const needed = oldestNode.join('.');
    process.stderr.write(
      `error: Node.js ${needed} or newer is needed, this is ${process.version}\n`,
    );
    return 2;
  }
  watchOutput(args);
  // Everything else takes time to load.
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${packageJson.version}\n`);
    return 0;
  }
  const { run } = await import('./run.ts');
  return run(args);
};

process.exitCode = await main(process.argv.slice(2));
