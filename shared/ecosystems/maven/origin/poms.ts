import type { MavenPom } from '../../../domain/facts/manifest.ts';
import { type Checksums, digestAll } from '../../../util/checksums.ts';
import { readAt, readTextAt } from '../../../util/json.ts';
import { catchPermanentFault, UpstreamError } from '../../../util/outbound-http/upstream-error.ts';
import { explainNonsense, type Origin, type OriginAnswer } from '../../origin/origin-http.ts';
import {
  type Coordinates,
  formatCoordinates,
  nameFile,
  toCoordinates,
  toFilePath,
} from '../coordinates.ts';
import { type PomLine, parsePom, readElements, resolveProperties } from '../manifest/pom.ts';

/** A POM as the origin has it. */
export interface FoundPom {
  readonly pom: unknown;
  readonly text: string;
  /** Of its bytes as they were read. */
  readonly checksums: Checksums;
  readonly answer: OriginAnswer;
}

/** A POM and what it inherits from, as far as it could be followed. */
export interface FoundLine {
  readonly line: PomLine;
  /** Those after the first; one that the origin does not have, or that is none, ends the line. */
  readonly parents: readonly MavenPom[];
  /** Whether the last POM of the line names no parent. */
  readonly isComplete: boolean;
}

/** POMs by their coordinates: each is asked for once. */
export type AskPom = (coordinates: Coordinates) => Promise<FoundPom | undefined>;

/** The largest POMs of all, lists of what goes together, have some 500 KB. */
const maxPomBytes = 2 * 1024 * 1024;
const mostParents = 8;
/** A list of lists has some 100; whoever needs more of them is not followed further. */
const mostPoms = 150;
/** All POMs of a version together: to parse one of the largest takes a second or two. */
const mostBytes = 16 * 1024 * 1024;

/** In the encoding that the file names: before there was UTF-8 everywhere, it was another one. */
const decode = (bytes: Buffer): string => {
  const [, encoding = 'utf-8'] =
    /^<\?xml[^>]*\sencoding=["']([\w.:-]+)["']/.exec(bytes.toString('latin1', 0, 200)) ?? [];
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    // It names an encoding that nobody knows.
    return bytes.toString();
  }
};

const readAnswer = (host: string, answer: OriginAnswer): FoundPom => {
  const text = decode(answer.bytes);
  try {
    return { pom: parsePom(text), text, checksums: digestAll(answer.bytes), answer };
  } catch {
    throw explainNonsense(host, answer);
  }
};

/**
 * Asks for POMs, each once, and for no more than a bounded number; undefined are those that the origin does not have.
 * @throws {UpstreamError} where a POM cannot be asked for, or is none
 */
export const createAskPom = ({ ask, host }: Origin): AskPom => {
  const asked = new Map<string, Promise<FoundPom | undefined>>();
  let bytes = 0;
  const askOnce = async (coordinates: Coordinates): Promise<FoundPom | undefined> => {
    const path = toFilePath(coordinates, nameFile(coordinates, '.pom'));
    const answer = await ask({
      path,
      accept: 'application/xml, text/xml, */*',
      maxBytes: maxPomBytes,
    });
    bytes += answer?.bytes.length ?? 0;
    return answer && bytes <= mostBytes ? readAnswer(host, answer) : undefined;
  };
  return (coordinates) => {
    const key = formatCoordinates(coordinates);
    const known = asked.get(key);
    if (known) return known;
    if (asked.size >= mostPoms || bytes > mostBytes) return Promise.resolve(undefined);
    const answer = askOnce(coordinates);
    asked.set(key, answer);
    return answer;
  };
};

/** What a POM leans on may be broken or in another repository: then it is not known. */
const askFurther = async (
  askPom: AskPom,
  coordinates: Coordinates,
): Promise<FoundPom | undefined> => {
  const found = await catchPermanentFault(() => askPom(coordinates));
  return found instanceof UpstreamError ? undefined : found;
};

const longestCoordinate = 300;
/** What is imported by one POM and its parents. */
const mostImports = 500;

/** The coordinates that an element of a POM names. */
const readCoordinates = (line: PomLine, element: unknown): Coordinates | undefined => {
  const [group, artifact, version] = ['groupId', 'artifactId', 'version'].map((name) =>
    resolveProperties(line, readTextAt(element, name), longestCoordinate),
  );
  return toCoordinates(group, artifact, version);
};

/** The parent that a POM names; a property in it can only be its own. */
const readParent = (pom: unknown): Coordinates | undefined =>
  readCoordinates([pom], readAt(pom, 'parent'));

const toMavenPom = (coordinates: Coordinates, { checksums }: FoundPom): MavenPom => ({
  coordinates: formatCoordinates(coordinates),
  checksums,
});

/** A POM with its parents, and theirs: at most eight, and none twice. */
export const followParents = async (pom: unknown, askPom: AskPom): Promise<FoundLine> => {
  const line: [unknown, ...unknown[]] = [pom];
  const parents: MavenPom[] = [];
  const seen = new Set<string>();
  for (let at = readParent(pom); at && parents.length < mostParents; ) {
    if (seen.has(formatCoordinates(at))) break;
    seen.add(formatCoordinates(at));
    const found = await askFurther(askPom, at);
    if (!found) break;
    parents.push(toMavenPom(at, found));
    line.push(found.pom);
    at = readParent(found.pom);
  }
  return { line, parents, isComplete: readAt(line.at(-1), 'parent') === undefined };
};

/** The lists of versions that POMs of a line import. */
const listImports = (line: PomLine): Coordinates[] =>
  line
    .flatMap((pom) => readElements(pom, 'dependencyManagement', 'dependencies', 'dependency'))
    .filter((one) => readTextAt(one, 'scope') === 'import' && readTextAt(one, 'type') === 'pom')
    .slice(0, mostImports)
    .flatMap((one) => readCoordinates(line, one) ?? []);

/** An imported list and its parents; an empty line where the origin does not have it. */
const followImport = async (
  coordinates: Coordinates,
  askPom: AskPom,
): Promise<{ readonly line: PomLine; readonly poms: readonly MavenPom[] }> => {
  const found = await askFurther(askPom, coordinates);
  if (!found) return { line: [undefined], poms: [] };
  const { line, parents } = await followParents(found.pom, askPom);
  return { line, poms: [toMavenPom(coordinates, found), ...parents] };
};

/**
 * The POMs besides its parents without which a POM cannot be read: the lists that it imports, those that they import, and
 * the parents of all of them; without those that the origin does not have.
 */
export const followImports = async (line: PomLine, askPom: AskPom): Promise<MavenPom[]> => {
  const needed = new Map<string, MavenPom>();
  const followed = new Set<string>();
  let waiting = listImports(line);
  while (waiting.length > 0 && needed.size < mostPoms) {
    const fresh = waiting.filter((one) => !followed.has(formatCoordinates(one)));
    for (const one of fresh) followed.add(formatCoordinates(one));
    const lines = await Promise.all(fresh.map((one) => followImport(one, askPom)));
    for (const pom of lines.flatMap(({ poms }) => poms)) needed.set(pom.coordinates, pom);
    waiting = lines.flatMap((one) => listImports(one.line));
  }
  return [...needed.values()].slice(0, mostPoms);
};
