import type { ImageLabel, ReleaseDetails } from '../../../domain/facts/release-details.ts';
import { cleanLine } from '../../../domain/vulnerabilities/finding.ts';
import { dropHiddenCharacters, escapeHiddenCharacters } from '../../../util/characters.ts';
import { digest } from '../../../util/digest.ts';
import { isObject, type JsonObject, parseJson, readAt, readTextAt } from '../../../util/json.ts';
import { cleanName } from '../../origin/release-text.ts';
import type { Statements } from '../../origin/upstream-answer.ts';
import { createSpellingCheck } from './spelling.ts';

/** Maximum size of a configuration in bytes. Real ones have 20 KB. */
export const maxConfigBytes = 1024 * 1024;

/** Maximum number of labels, and of characters of a text. Beyond them, an attribute is unknown. */
const mostLabels = 100;
const longestCommand = 2_000;
const longestLabel = 500;

/** Labels with meanings of their own. Source: annotations of the OCI Image Specification. */
const labelNames = {
  description: 'org.opencontainers.image.description',
  licenses: 'org.opencontainers.image.licenses',
  source: 'org.opencontainers.image.source',
  url: 'org.opencontainers.image.url',
} as const;

const hasOtherDocumentNames = createSpellingCheck(['config']);
const hasOtherConfigNames = createSpellingCheck(['Entrypoint', 'Cmd', 'User', 'Labels']);

/** Returns a command as JSON on one line; null without one, undefined if it is too long or of another type. */
const readCommand = (value: unknown): string | null | undefined => {
  if (value === undefined || value === null) return null;
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (!isList) return undefined;
  const text = value.length === 0 ? null : escapeHiddenCharacters(JSON.stringify(value));
  return text === null || text.length <= longestCommand ? text : undefined;
};

const readUser = (value: unknown): string | null | undefined =>
  value === undefined || value === null || value === '' ? null : cleanName(value);

const readLabels = (labels: unknown): readonly ImageLabel[] | undefined => {
  if (labels === undefined || labels === null) return [];
  if (!isObject(labels) || Object.keys(labels).length > mostLabels) return undefined;
  const found = Object.entries(labels).flatMap(([key, value]): ImageLabel[] => {
    const name = cleanName(key);
    if (name === undefined || typeof value !== 'string') return [];
    const text = cleanLine(dropHiddenCharacters(value.slice(0, longestLabel)), longestLabel);
    return [{ name, text, digest: digest(value) }];
  });
  return found.length === Object.keys(labels).length ? found : undefined;
};

const omitUnknown = <T extends object>(object: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as Partial<T>;

/** Configuration of an image: what its labels state, and the attributes by which images are compared. */
export interface ImageConfig {
  readonly statements: Statements;
  readonly details: ReleaseDetails;
}

const readLicense = (license: string | undefined): Statements =>
  license ? { licenses: [license], license, declaresLicense: true } : {};

/** Returns what a configuration says; undefined if it cannot be read. Base images may have set its labels. */
export const readImageConfig = (bytes: Buffer): ImageConfig | undefined => {
  const document = parseJson(bytes.toString());
  if (!isObject(document) || hasOtherDocumentNames(document)) return undefined;
  const config: JsonObject = isObject(document['config']) ? document['config'] : {};
  if (hasOtherConfigNames(config)) return undefined;
  const { Entrypoint, Cmd, User, Labels } = config;
  return {
    statements: {
      ...readLicense(readTextAt(Labels, labelNames.licenses)),
      description: readAt(Labels, labelNames.description),
      homepage: readAt(Labels, labelNames.url),
      repository: readAt(Labels, labelNames.source),
    },
    details: {
      described: true,
      ...omitUnknown({
        entrypoint: readCommand(Entrypoint),
        command: readCommand(Cmd),
        user: readUser(User),
        labels: readLabels(Labels),
      }),
    } as ReleaseDetails,
  };
};
