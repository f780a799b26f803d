/** `npm start`: reads its command line, and loads the rest only where there is something to run. */
import { help, parseFlags, UsageError } from './flags.ts';

const oldestNode = 24;

const exitCodes = { failure: 1, usage: 2 } as const;

const refuse = (message: string, exitCode: number): never => {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
};

const readFlags = () => {
  try {
    return parseFlags(process.argv.slice(2));
  } catch (error) {
    if (error instanceof UsageError) return refuse(error.message, exitCodes.usage);
    throw error;
  }
};

/** Refuses a release of Node.js that lacks what is used here. */
const checkNode = (): void => {
  const version = process.versions.node;
  if (Number.parseInt(version, 10) >= oldestNode) return;
  refuse(
    `Node.js ${oldestNode} or newer is needed, this is ${version}: run npm start`,
    exitCodes.failure,
  );
};

const flags = readFlags();
if (flags.help) {
  process.stdout.write(help);
} else {
  checkNode();
  const { serve } = await import('./serve.ts');
  await serve(flags, process.env);
}
