import * as z from 'zod';
import { RequestError } from '../../../shared/api/client/client.ts';
import { type CheckStatus, checkStatuses } from '../../../shared/api/schemas/check.ts';
import { Ecosystem } from '../../../shared/api/schemas/ecosystem.ts';
import { isDigestVersion } from '../../../shared/domain/packages/digest-version.ts';
import { parseFileHash } from '../../../shared/domain/packages/file-hash.ts';
import { type PackageId, toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { byEcosystem, fileEcosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { isOwnFinding } from '../../../shared/use-cases/dependency-check/findings.ts';
import type { Origins } from '../../../shared/use-cases/dependency-check/sources.ts';

/** The status of a version in an answer to `POST /check`. A newer registry may have more fields and reasons. */
export const Checked = z.object({
  ecosystem: Ecosystem.nullable(),
  name: z.string().nullable(),
  version: z.string().nullable(),
  status: z.enum(checkStatuses),
  allowed: z.boolean(),
  expires_at: z.string().nullable(),
  reasons: z.array(z.object({ code: z.string(), message: z.string() })),
  nearest_approved: z.string().nullable().optional(),
  content: z.enum(['same', 'other', 'unknown']).optional(),
  // `--fix` writes it into files.
  pinned_digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .optional(),
  rule: z.string().nullable().default(null),
  waits_for: z.array(z.string()).default([]),
  waits_until: z.string().nullable().default(null),
});
export type Checked = z.infer<typeof Checked>;

const Hosts = z.object({
  index_hosts: z.array(z.string()),
  file_hosts: z.array(z.string()).nullable(),
});

const Answer = z.object({
  packages: z.array(Checked),
  origins: z
    .object(byEcosystem(fileEcosystems, () => Hosts))
    .partial()
    .optional(),
});

/** Returns the hosts of the origins that an answer lists. */
export const readOrigins = (answer: unknown): Origins =>
  Answer.safeParse(answer).data?.origins ?? {};

/** A version of a request, with the hashes of its files. */
type SentVersion = PackageId & { readonly hashes?: readonly string[] | undefined };

/** The request that an answer must fit. */
interface SentRequest {
  /** Undefined for text that only the registry can parse. */
  readonly packages: readonly (SentVersion | undefined)[];
  readonly allow: readonly CheckStatus[];
}

const toIdOf = ({ ecosystem, name, version }: Checked): PackageId | undefined =>
  ecosystem === null || name === null || version === null
    ? undefined
    : { ecosystem, name, version };

const hasNoId = ({ ecosystem, name, version }: Checked): boolean =>
  ecosystem === null && name === null && version === null;

/** Returns the digest of an image that was sent with its tag; undefined for other versions. */
const findSentDigest = (sent: SentVersion | undefined): string | undefined => {
  if (sent?.ecosystem !== 'docker' || isDigestVersion(sent.version)) return undefined;
  const [text = '', ...more] = sent.hashes ?? [];
  const hash = more.length === 0 ? parseFileHash(text) : undefined;
  return hash?.algorithm === 'sha256' ? `sha256:${hash.hex}` : undefined;
};

/** Returns whether a status is about the version that was sent. Only text that is no version has no id in the answer. */
const isAbout = (checked: Checked, sent: SentVersion | undefined): boolean => {
  if (hasNoId(checked)) return checked.status === 'unknown';
  const id = toIdOf(checked);
  if (id === undefined || !sent) return id !== undefined;
  // The review of a digest or of the tag beside it decides.
  const digest = findSentDigest(sent);
  const versions = digest === undefined ? [sent.version] : [sent.version, digest];
  return versions.some((version) => toVersionKey(id) === toVersionKey({ ...sent, version }));
};

/** Returns whether a tag was allowed without a comparison of the digest beside it, as by registries of earlier releases. */
const ignoresDigest = (
  { allowed, version, content }: Checked,
  sent: SentVersion | undefined,
): boolean =>
  allowed && findSentDigest(sent) !== undefined && version === sent?.version && content !== 'same';

/** Returns whether `allowed` fits the status and the statuses that the request allows. Own packages need no review. */
const fitsStatus = (checked: Checked, allow: readonly CheckStatus[]): boolean => {
  const { status, allowed } = checked;
  const isOwn = status === 'unknown' && isOwnFinding(checked);
  return !allowed || status === 'approved' || allow.includes(status) || isOwn;
};

const findFault = (packages: readonly Checked[], request: SentRequest): string | undefined => {
  const { packages: sent, allow } = request;
  if (packages.length !== sent.length) {
    return `${packages.length} results for ${sent.length} packages`;
  }
  const wrong = packages.findIndex((one, at) => !isAbout(one, sent[at]));
  if (wrong >= 0) return `result ${wrong + 1} is about another package`;
  const ignored = packages.findIndex((one, at) => ignoresDigest(one, sent[at]));
  if (ignored >= 0) return `result ${ignored + 1} is not about the digest of the image`;
  const allowed = packages.findIndex((one) => !fitsStatus(one, allow));
  return allowed < 0 ? undefined : `result ${allowed + 1} is allowed despite its status`;
};

/**
 * Returns the status of each version in an answer to `POST /check`, in the order of the request. It verifies the answer, since a
 * proxy could have written it, and users install what it allows.
 * @throws {RequestError} if the answer does not fit the request
 */
export const readChecked = (answer: unknown, request: SentRequest): readonly Checked[] => {
  const { data, error } = Answer.safeParse(answer);
  const fault = data
    ? findFault(data.packages, request)
    : error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)[0];
  if (data && fault === undefined) return data.packages;
  throw new RequestError({
    code: 'unexpected_answer',
    detail: `The answer does not fit the request: ${fault}. It is unknown whether these packages may be used.`,
  });
};
