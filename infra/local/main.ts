/** `npm start`: parses the command line, then loads the modules that run the registry. */
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

/** Ends the process if the release of Node.js is too old. */
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
