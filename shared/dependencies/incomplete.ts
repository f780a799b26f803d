import type { DependencyFormat } from './dependency-file.ts';
import type { Contents } from './format-reader.ts';

const aboutRequirements =
  'It has neither hashes nor notes of what asks for each package, so that it may leave out what its packages bring with them. Write it whole: uv pip compile --generate-hashes requirements.in -o requirements.txt';
const aboutPom =
  'It has what the project declares itself, and not what that brings with it. Have the whole beside it: mvn -B dependency:tree -DoutputFile=dependency-tree.txt';
const aboutBill =
  'It says itself that it is incomplete. Have the tool that wrote it list everything.';

const isListed = ({ dependencies, unpinned }: Contents): boolean =>
  dependencies.length + unpinned.length > 0;

const isCompiled = ({ dependencies }: Contents): boolean =>
  dependencies.some(({ hashes = [], through }) => hashes.length > 0 || through !== undefined);

/**
 * Explains why a file cannot have everything that is installed, and how to get a whole one; undefined where it can.
 * Of Dockerfiles and Compose files nothing is said: what is inside of an image is a matter of its scan.
 */
export const explainIncomplete = (
  format: DependencyFormat,
  contents: Contents,
  text: string,
): string | undefined => {
  if (!isListed(contents)) return undefined;
  if (format === 'pom.xml') return aboutPom;
  if (format === 'requirements.txt') return isCompiled(contents) ? undefined : aboutRequirements;
  if (format !== 'cyclonedx') return undefined;
  return /"aggregate"\s*:\s*"incomplete/.test(text) ? aboutBill : undefined;
};
