import { RegistryError } from '../../../domain/errors.ts';
import { findIntegrity } from '../../../domain/facts/npm-integrity.ts';
import { listOptionalNames, mostOptionalNames } from '../../../domain/facts/npm-optional-names.ts';
import { locateFile } from '../../../domain/packages/file-places.ts';
import { formatPackage } from '../../../domain/packages/format-package.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { isTooMuchToRead } from '../../../storage/dynamodb/read-budget.ts';
import { listApproved } from '../../../storage/packages/approved-versions.ts';
import { findPack, listPinnedIn, type Pack } from '../../../storage/packs/find-pack.ts';
import { dropFrozen } from '../../../storage/reviews/freeze.ts';
import { runInParallel } from '../../../util/in-parallel.ts';
import { readTextAt } from '../../../util/json.ts';
import { listServed, type ServedVersion } from '../../gate/approved.ts';
import { findPinned } from '../../gate/find-pinned.ts';
import { findListState, type KnownState, type ListAnswer } from '../../gate/list-state.ts';
import {
  type GateContext,
  refuseOwn,
  refusePackage,
  refusePlace,
  refuseUnchecked,
} from '../../gate/refusal.ts';
import { keysPath } from '../registry-paths.ts';
import { makePackument } from './approved-packument.ts';
import { readNpmRequest } from './request.ts';

/** Lookups of optional packages at once: those of a usual package take one round trip. */
const parallelReads = 50;

interface NpmContext extends GateContext, KnownState {
  /** URL of the gate, without a trailing slash. */
  readonly base: string;
}

/** Approved versions of an optional package. */
interface OptionalPackage {
  readonly name: string;
  readonly versions: readonly string[];
  /** Pack that alone decides the versions; undefined if there is none. */
  readonly pack: Pack | undefined;
}

/** Returns the approved, pinned versions of an optional package; none if the request's read budget is spent. */
const findOptional = async (
  name: string,
  { now, freeze }: NpmContext,
): Promise<OptionalPackage> => {
  const id = { ecosystem: 'npm', name } as const;
  try {
    const pack = freeze ? undefined : await findPack(id, { hint: true });
    const listed = pack && listPinnedIn(pack, now);
    if (listed) return { name, versions: listed, pack };
    const found = await dropFrozen(await listApproved(id, now), freeze);
    const pinned = found.filter((item) => item.pinned);
    return { name, versions: pinned.map(({ version }) => version), pack: undefined };
  } catch (error) {
    if (isTooMuchToRead(error)) return { name, versions: [], pack: undefined };
    throw error;
  }
};

const findAllOptional = (
  names: readonly string[],
  context: NpmContext,
): Promise<readonly OptionalPackage[]> =>
  runInParallel(names, parallelReads, (name) => findOptional(name, context));

const listNames = (served: readonly ServedVersion<'npm'>[]): readonly string[] =>
  listOptionalNames(served.map(({ manifest }) => manifest.version)).slice(0, mostOptionalNames);

/** Returns the names of optional packages of all versions; undefined unless a pack alone knows them. */
const findNames = (pack: Pack | undefined): readonly string[] | undefined =>
  pack && pack.marked.length === 0 ? (pack.optional ?? undefined) : undefined;

/**
 * Returns the packument of a package. Takes two round trips, and one more if no pack knows the optional packages. A copy of
 * the client that its state shows to be current takes one round trip less.
 */
const servePackument = async (name: string, context: NpmContext): Promise<ListAnswer<object>> => {
  const id = { ecosystem: 'npm', name } as const;
  const { base, isKnown } = context;
  const pack = await findPack(id);
  const names = findNames(pack);
  const reading = names && findAllOptional(names, context);
  if (isKnown && reading) {
    const state = findListState([pack, ...(await reading).map((one) => one.pack)], context);
    if (state !== undefined && isKnown(state)) return { unchanged: state };
  }
  const [{ newest, served, isOfPack }, known] = await Promise.all([
    listServed('npm', { id, pack }, context),
    reading,
  ]);
  const optional = known ?? (await findAllOptional(listNames(served), context));
  const approved = new Map(optional.map((one) => [one.name, one.versions]));
  const document = makePackument(name, served, { base, approved });
  if (!document) throw await refusePackage(id, newest, context);
  const packs = [isOfPack ? pack : undefined, ...optional.map((one) => one.pack)];
  return { document, state: known && findListState(packs, context) };
};

/** @throws {RegistryError} if files of the version may not be at this address */
const locate = (id: PackageId, address: string, { files }: NpmContext): string => {
  const located = locateFile(address, files);
  if (located === undefined) throw refusePlace(id);
  return located;
};

/**
 * Returns the URL from which clients download the tarball of an approved version.
 * @throws {RegistryError} if the version is not approved, its tarball has no integrity, or the location is not allowed
 */
const findTarball = async (id: PackageId, context: NpmContext): Promise<string> => {
  const { version } = await findPinned('npm', id, context);
  const { dist } = version;
  if (!findIntegrity(dist)) throw refuseUnchecked(id);
  return locate(id, readTextAt(dist, 'tarball') ?? '', context);
};

/**
 * Returns the URL from which clients download the attestations of an approved version.
 * @throws {RegistryError} if the version is not approved or has no attestations, or the location is not allowed
 */
const findAttestations = async (id: PackageId, context: NpmContext): Promise<string> => {
  const { version } = await findPinned('npm', id, context);
  const address = readTextAt(version, 'dist', 'attestations', 'url');
  if (address) return locate(id, address, context);
  throw new RegistryError('route_not_found', `${formatPackage(id)} has no attestations.`);
};

/**
 * Returns the packument, or the URL of a tarball, of attestations or of the origin's keys, for a request of an npm client.
 * Only currently approved versions are served.
 * @throws {RegistryError} if the gate does not serve the path, or nothing suitable is approved
 */
export const serveNpm = async (
  path: string,
  context: NpmContext,
): Promise<ListAnswer<object> | { readonly location: string }> => {
  const request = readNpmRequest(path, context.base);
  if (!request) throw new RegistryError('route_not_found', 'The gate does not serve this.');
  if (request.kind === 'ping') return { document: {}, state: undefined };
  if (request.kind === 'keys') {
    return { location: `${context.files.origin.replace(/\/$/, '')}/${keysPath}` };
  }
  const { kind, name } = request;
  refuseOwn(context.own, { ecosystem: 'npm', name });
  if (kind === 'packument') return servePackument(name, context);
  const id = { ecosystem: 'npm', name, version: request.version } as const;
  const find = kind === 'tarball' ? findTarball : findAttestations;
  return { location: await find(id, context) };
};
