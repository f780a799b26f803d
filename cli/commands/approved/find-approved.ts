import { RequestError } from '../../../shared/api/client/client.ts';
import { maxLimit } from '../../../shared/api/schemas/query.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { type Ecosystem, ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import type { Session } from '../../session/session.ts';
import { readChecked } from '../check/checked.ts';
import { findNewestByMajor, type NewestOfMajor } from './by-major.ts';

/** A package by name. */
export interface PackageName {
  /** Undefined if the name can be of several ecosystems. */
  readonly ecosystem: Ecosystem | undefined;
  readonly name: string;
}

/** An approved version, with the issues that its approval would override today. */
export interface ApprovedVersion extends NewestOfMajor {
  /** ISO 8601; null where the approval does not expire. */
  readonly expires_at: string | null;
  readonly issues: readonly { readonly code: string; readonly message: string }[];
}

/** The approved versions of a package, or its pending ones if none is approved. */
export interface ApprovedVersions {
  readonly ecosystem: Ecosystem | null;
  readonly name: string;
  /** The number of approved versions. */
  readonly approved_total: number;
  readonly newest: ApprovedVersion | null;
  /** The newest approved version of each major version, the newest first. */
  readonly by_major: readonly ApprovedVersion[];
  /** The number of major versions that `by_major` leaves out. */
  readonly omitted: number;
  /** The last submitted pending versions; read only where no version is approved. */
  readonly pending: readonly string[];
}

/** Few packages have more major versions in use. */
const mostMajors = 20;
const mostPending = 5;

/** The client of a request, and the signal that ends it. */
export interface RequestContext {
  readonly client: Session['client'];
  readonly signal?: AbortSignal;
}

/** Lists versions of a status, the last submitted first; undefined for a package that is not in the registry. */
const list = async (
  { client, ...options }: RequestContext,
  { name, ecosystem }: PackageName,
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

/** Adds expiry dates and issues to approved versions. */
const addDetails = async (
  { client, ...options }: RequestContext,
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
 * Finds the approved versions of a package with two requests. It reads the last 1,000 submitted versions.
 * @throws {NegativeResultError} if packages of several ecosystems have the name
 * @throws {RequestError} if the registry refused, failed or could not be reached
 */
export const findApproved = async (
  context: RequestContext,
  given: PackageName,
): Promise<ApprovedVersions> => {
  const { name } = given;
  const approved = await list(context, given, { status: 'approved', limit: maxLimit });
  const versions = approved?.packages ?? [];
  const ecosystem = given.ecosystem ?? findOnlyEcosystem(name, versions);
  const newest =
    ecosystem === null
      ? []
      : findNewestByMajor(
          ecosystem,
          versions.map(({ version }) => version),
        ).map((one) => ({ ...one, ecosystem, name }));
  const by_major = await addDetails(context, newest.slice(0, mostMajors));
  const waiting =
    approved && by_major.length === 0
      ? await list(context, given, { status: 'pending', limit: mostPending })
      : undefined;
  return {
    ...{ ecosystem, name, approved_total: approved?.total ?? 0 },
    ...{ newest: by_major[0] ?? null, by_major },
    omitted: Math.max(0, newest.length - mostMajors),
    pending: waiting?.packages.map(({ version }) => version) ?? [],
  };
};
