import { RequestError } from '../../../shared/api/client/client.ts';
import { maxLimit } from '../../../shared/api/schemas/query.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { type Ecosystem, ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import type { Session } from '../../session/session.ts';
import { readChecked } from '../check/checked.ts';
import { findNewestByMajor, type NewestOfMajor } from './by-major.ts';

/** A package of which somebody wants to know what may be used. */
export interface AskedPackage {
  /** Undefined where only the registry can tell. */
  readonly ecosystem: Ecosystem | undefined;
  readonly name: string;
}

/** An approved version, with what its approval would need an override for today. */
export interface ApprovedVersion extends NewestOfMajor {
  /** ISO 8601; null where the approval does not expire. */
  readonly expires_at: string | null;
  readonly issues: readonly { readonly code: string; readonly message: string }[];
}

/** What is approved of a package, and what waits where nothing is. */
export interface ApprovedVersions {
  readonly ecosystem: Ecosystem | null;
  readonly name: string;
  /** How many versions are approved. */
  readonly approved_total: number;
  readonly newest: ApprovedVersion | null;
  /** The newest approved version of each major version, the newest first. */
  readonly by_major: readonly ApprovedVersion[];
  /** How many major versions were left out of `by_major`. */
  readonly omitted: number;
  /** The last submitted pending versions; read only where no version is approved. */
  readonly pending: readonly string[];
}

/** As many major versions are shown: of few packages are more in use. */
const mostMajors = 20;
const mostPending = 5;

/** How the registry is asked. */
export interface Asking {
  readonly client: Session['client'];
  readonly signal?: AbortSignal;
}

/** Versions of a status, the last submitted first; undefined for a package that nobody submitted. */
const list = async (
  { client, ...options }: Asking,
  { name, ecosystem }: AskedPackage,
  filter: { readonly status: 'approved' | 'pending'; readonly limit: number },
) => {
  const query = { ...(ecosystem && { ecosystem }), ...filter };
  try {
    return await client.listVersions({ path: { name }, query }, options);
  } catch (error) {
    if (error instanceof RequestError && error.code === 'package_not_found') return undefined;
    throw error;
  }
};

/** @throws {NegativeResultError} where packages of several ecosystems have approved versions */
const findOnlyEcosystem = (
  name: string,
  versions: readonly { readonly ecosystem: Ecosystem }[],
): Ecosystem | null => {
  const found = ecosystems.filter((one) => versions.some(({ ecosystem }) => ecosystem === one));
  if (found.length < 2) return found[0] ?? null;
  throw new NegativeResultError(`${name} is a package of ${found.join(' and ')}.`, [
    `Write ${found.map((one) => `${one}:${name}`).join(' or ')}.`,
  ]);
};

/** Asks what a list does not say of approved versions: until when, and with which issues. */
const look = async (
  { client, ...options }: Asking,
  newest: readonly (NewestOfMajor & PackageId)[],
): Promise<ApprovedVersion[]> => {
  const packages = newest.map(({ ecosystem, name, version }) => ({ ecosystem, name, version }));
  if (packages.length === 0) return [];
  const answer: unknown = await client.checkPackages({ body: { packages } }, options);
  const checked = readChecked(answer, { packages, allow: ['approved'] });
  return newest.flatMap(({ major, version }, at) => {
    const { status, expires_at = null, reasons = [] } = checked[at] ?? {};
    return status === 'approved' ? [{ major, version, expires_at, issues: reasons }] : [];
  });
};

/**
 * Finds which versions of a package are approved: 2 requests. Of more than 1,000 approved versions, it looks at the last
 * submitted ones.
 * @throws {NegativeResultError} where packages of several ecosystems have the name
 * @throws {RequestError} where the registry refused, failed or could not be reached
 */
export const findApproved = async (
  asking: Asking,
  asked: AskedPackage,
): Promise<ApprovedVersions> => {
  const { name } = asked;
  const approved = await list(asking, asked, { status: 'approved', limit: maxLimit });
  const versions = approved?.packages ?? [];
  const ecosystem = asked.ecosystem ?? findOnlyEcosystem(name, versions);
  const newest =
    ecosystem === null
      ? []
      : findNewestByMajor(
          ecosystem,
          versions.map(({ version }) => version),
        ).map((one) => ({ ...one, ecosystem, name }));
  const by_major = await look(asking, newest.slice(0, mostMajors));
  const waiting =
    approved && by_major.length === 0
      ? await list(asking, asked, { status: 'pending', limit: mostPending })
      : undefined;
  return {
    ...{ ecosystem, name, approved_total: approved?.total ?? 0 },
    ...{ newest: by_major[0] ?? null, by_major },
    omitted: Math.max(0, newest.length - mostMajors),
    pending: waiting?.packages.map(({ version }) => version) ?? [],
  };
};
