import * as z from 'zod';
import { RequestError } from '../../../shared/api/client/client.ts';
import { type CheckStatus, checkStatuses } from '../../../shared/api/schemas/check.ts';
import { Ecosystem } from '../../../shared/api/schemas/ecosystem.ts';
import { type PackageId, toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { byEcosystem, fileEcosystems } from '../../../shared/ecosystems/ecosystem.ts';
import type { Origins } from '../../../shared/use-cases/dependency-check/sources.ts';

/** Where the registry says that a version stands. A newer registry may know more reasons, and say more. */
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

/** The hosts of the origins, as far as an answer names them. */
export const readOrigins = (answer: unknown): Origins =>
  Answer.safeParse(answer).data?.origins ?? {};

/** What was asked about, and what the answer may let pass besides what is approved. */
interface Question {
  /** Undefined for what only the registry may be able to read. */
  readonly packages: readonly (PackageId | undefined)[];
  readonly allow: readonly CheckStatus[];
}

const toIdOf = ({ ecosystem, name, version }: Checked): PackageId | undefined =>
  ecosystem === null || name === null || version === null
    ? undefined
    : { ecosystem, name, version };

const isNobody = ({ ecosystem, name, version }: Checked): boolean =>
  ecosystem === null && name === null && version === null;

/** Only what cannot be a version is answered without saying which one it is about. */
const isAbout = (answered: Checked, asked: PackageId | undefined): boolean => {
  if (isNobody(answered)) return answered.status === 'unknown';
  const id = toIdOf(answered);
  return id !== undefined && (!asked || toVersionKey(id) === toVersionKey(asked));
};

/** No more may be allowed than was asked for. */
const isJudged = ({ status, allowed }: Checked, allow: readonly CheckStatus[]): boolean =>
  !allowed || status === 'approved' || allow.includes(status);

const findFault = (packages: readonly Checked[], question: Question): string | undefined => {
  const { packages: asked, allow } = question;
  if (packages.length !== asked.length) {
    return `${asked.length} were asked about, and ${packages.length} answered`;
  }
  const wrong = packages.findIndex((one, at) => !isAbout(one, asked[at]));
  if (wrong >= 0) return `number ${wrong + 1} is not the one that was asked about`;
  const allowed = packages.findIndex((one) => !isJudged(one, allow));
  return allowed < 0 ? undefined : `number ${allowed + 1} is allowed against its status`;
};

/**
 * Takes an answer to `POST /check` for what it says of each version, in the order of the question. Whatever stands
 * between here and the registry can answer, and what is believed here is used.
 * @throws {RequestError} for what is no answer to this question
 */
export const readChecked = (answer: unknown, question: Question): readonly Checked[] => {
  const { data, error } = Answer.safeParse(answer);
  const fault = data
    ? findFault(data.packages, question)
    : error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)[0];
  if (data && fault === undefined) return data.packages;
  throw new RequestError({
    code: 'unexpected_answer',
    detail: `The answer does not fit the question: ${fault}. Nobody knows whether these packages may be used.`,
  });
};
