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

/** A POM from the origin. */
export interface FoundPom {
  readonly pom: unknown;
  readonly text: string;
  /** Checksums of the downloaded bytes. */
  readonly checksums: Checksums;
  readonly answer: OriginAnswer;
}

/** A POM and its available parents. */
export interface FoundLine {
  readonly line: PomLine;
  /** Parents of the first POM. A missing or malformed parent ends the list. */
  readonly parents: readonly MavenPom[];
  /** True if the last POM of the line names no parent. */
  readonly isComplete: boolean;
}

/** Fetches a POM by its coordinates, at most once. */
export type AskPom = (coordinates: Coordinates) => Promise<FoundPom | undefined>;

/** Size limit of one POM, in bytes. The largest POMs are BOMs of about 500 KB. */
const maxPomBytes = 2 * 1024 * 1024;
const mostParents = 8;
/** Limit of POMs per version. A BOM that imports other BOMs needs about 100. Further POMs are not fetched. */
const mostPoms = 150;
/** Size limit of all POMs of a version, in bytes. Parsing one of the largest POMs takes one to two seconds. */
const mostBytes = 16 * 1024 * 1024;

/** Decodes a POM in its declared encoding, because old POMs may not be UTF-8. */
const decode = (bytes: Buffer): string => {
  const [, encoding = 'utf-8'] =
    /^<\?xml[^>]*\sencoding=["']([\w.:-]+)["']/.exec(bytes.toString('latin1', 0, 200)) ?? [];
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    // The declared encoding is unknown.
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
 * Creates a function that fetches POMs, each at most once. It returns undefined for a missing POM and above the limits.
 * @throws {UpstreamError} from that function, if a request fails or the response is not a POM
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

/** Fetches a parent or imported POM; undefined if the POM is broken or in another repository. */
const askFurther = async (
  askPom: AskPom,
  coordinates: Coordinates,
): Promise<FoundPom | undefined> => {
  const found = await catchPermanentFault(() => askPom(coordinates));
  return found instanceof UpstreamError ? undefined : found;
};

const longestCoordinate = 300;
/** Limit of imports by one POM and its parents. */
const mostImports = 500;

/** Returns the coordinates in an element of a POM; undefined if they are incomplete or invalid. */
const readCoordinates = (line: PomLine, element: unknown): Coordinates | undefined => {
  const [group, artifact, version] = ['groupId', 'artifactId', 'version'].map((name) =>
    resolveProperties(line, readTextAt(element, name), longestCoordinate),
  );
  return toCoordinates(group, artifact, version);
};

/** Returns the coordinates of a POM's parent. Only the POM's own properties apply there. */
const readParent = (pom: unknown): Coordinates | undefined =>
  readCoordinates([pom], readAt(pom, 'parent'));

const toMavenPom = (coordinates: Coordinates, { checksums }: FoundPom): MavenPom => ({
  coordinates: formatCoordinates(coordinates),
  checksums,
});

/** Fetches the parents of a POM, recursively: at most eight, and none twice. */
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

/** Returns the coordinates of the BOMs that a POM and its parents import. */
const listImports = (line: PomLine): Coordinates[] =>
  line
    .flatMap((pom) => readElements(pom, 'dependencyManagement', 'dependencies', 'dependency'))
    .filter((one) => readTextAt(one, 'scope') === 'import' && readTextAt(one, 'type') === 'pom')
    .slice(0, mostImports)
    .flatMap((one) => readCoordinates(line, one) ?? []);

/** Fetches an imported BOM and its parents; without POMs if the BOM is unavailable. */
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
 * Returns the POMs that a POM needs besides its parents: imported BOMs, their own imports, and the parents of all BOMs.
 * Unavailable POMs are omitted.
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
