/**
 * Refuses a release of Node.js that cannot run the project, in one sentence. Plain JavaScript: an old release fails on TypeScript
 * with a stack trace. The project's own Node.js is a package whose install script fetches it.
 */
const oldestNode = 24;
const { node } = process.versions;

if (Number.parseInt(node, 10) < oldestNode) {
  process.stderr.write(
    `Node.js ${oldestNode} or newer is needed, this is ${node}: run npm rebuild node, since npm ci --ignore-scripts leaves out the project's own, or put Node.js ${oldestNode} on the PATH.\n`,
  );
  process.exitCode = 1;
}
