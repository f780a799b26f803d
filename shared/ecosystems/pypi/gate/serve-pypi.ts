import { RegistryError } from '../../../domain/errors.ts';
import { locateFile } from '../../../domain/packages/file-places.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { findPack } from '../../../storage/packs/find-pack.ts';
import { listServed } from '../../gate/approved.ts';
import { findPinned } from '../../gate/find-pinned.ts';
import { findListState, type KnownState, type ListAnswer } from '../../gate/list-state.ts';
import {
  type GateContext,
  refuseFile,
  refuseOwn,
  refusePackage,
  refusePlace,
} from '../../gate/refusal.ts';
import { isPinned, makeProject, type Project } from './project.ts';
import { type PypiRequest, readPypiRequest } from './request.ts';

interface PypiContext extends GateContext, KnownState {
  /** URL of the gate, without a trailing slash. */
  readonly base: string;
}

/** Returns a "not found" error with the reason. For a forbidden project, installers would blame the credentials. */
const refuseProject = async (
  name: string,
  newest: PackageId | undefined,
  context: PypiContext,
): Promise<RegistryError> => {
  const { message, parts } = await refusePackage({ ecosystem: 'pypi', name }, newest, context);
  return new RegistryError('package_not_found', message, parts);
};

const serveProject = async (name: string, context: PypiContext): Promise<ListAnswer<Project>> => {
  const id = { ecosystem: 'pypi', name } as const;
  const pack = await findPack(id);
  const state = findListState([pack], context);
  if (state !== undefined && context.isKnown?.(state)) return { unchanged: state };
  const { newest, served, isOfPack } = await listServed('pypi', { id, pack }, context);
  const document = makeProject(name, served, context.base);
  if (document.files.length === 0) throw await refuseProject(name, newest, context);
  return { document, state: isOfPack ? state : undefined };
};

/** Returns the URL of a file's metadata (PEP 658). */
const toMetadata = (address: string): string => {
  const url = new URL(address);
  url.pathname += '.metadata';
  url.hash = '';
  return url.href;
};

const findFile = async (
  { name, version, filename, isMetadata }: Extract<PypiRequest, { kind: 'file' }>,
  context: PypiContext,
): Promise<string> => {
  const id = { ecosystem: 'pypi', name, version } as const;
  const { files } = await findPinned('pypi', id, context);
  const file = files.find((one) => one.filename === filename && isPinned(one));
  if (file) {
    const address = locateFile(isMetadata ? toMetadata(file.url) : file.url, context.files);
    if (address === undefined) throw refusePlace(id);
    return address;
  }
  throw refuseFile(id, filename);
};

/**
 * Returns the project or the file URL for a request of pip, uv or Poetry, from the currently approved versions.
 * @throws {RegistryError} if the gate does not serve the path, or nothing suitable is approved
 */
export const servePypi = async (
  path: string,
  context: PypiContext,
): Promise<ListAnswer<Project> | { readonly location: string }> => {
  const request = readPypiRequest(path);
  if (!request) throw new RegistryError('route_not_found', 'The gate does not serve this.');
  refuseOwn(context.own, { ecosystem: 'pypi', name: request.name });
  return request.kind === 'project'
    ? serveProject(request.name, context)
    : { location: await findFile(request, context) };
};
