/** Submits and approves the packages of the projects, and waits until the gate serves them. */
import { setTimeout as delay } from 'node:timers/promises';
import { maxItems } from '../../../shared/api/schemas/many.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { runInParallel } from '../../../shared/util/in-parallel.ts';
import { splitInto } from '../../../shared/util/split-into.ts';
import { startProgressBar } from '../progress-bar.ts';
import type { Registry } from './registry.ts';

interface ManyAnswer {
  readonly results: readonly { readonly status: number; readonly problem?: unknown }[];
}

const post = async ({ url }: Registry, path: string, body: object): Promise<void> => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer}`);
  const failed = (JSON.parse(answer) as ManyAnswer).results.find(({ status }) => status >= 300);
  if (failed) throw new Error(`${path}: ${JSON.stringify(failed)}`);
};

/** Returns whether the registry knows the files of an approved version. */
const isPinned = async ({ url }: Registry, id: PackageId): Promise<boolean> => {
  const { ecosystem, name, version } = id;
  const query = new URLSearchParams({ ecosystem, version });
  const path = `/api/v1/packages/${encodeURIComponent(name)}/evidence?${query}`;
  const response = await fetch(`${url}${path}`);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  const { files } = (await response.json()) as { files: { pinned: boolean } | null };
  return files?.pinned === true;
};

const parallelQuestions = 4;
const pauseMs = 3000;
const limitMs = 20 * 60_000;

/** Returns the versions whose files the registry does not know. */
const listUnpinned = async (
  registry: Registry,
  ids: readonly PackageId[],
): Promise<readonly PackageId[]> => {
  const pinned = await runInParallel(ids, parallelQuestions, (id) => isPinned(registry, id));
  return ids.filter((_, at) => !pinned[at]);
};

/** Number of versions to ask for at a time: as long as one of them waits, the others need no question. */
const probed = 50;

const waitUntilPinned = async (registry: Registry, ids: readonly PackageId[]): Promise<void> => {
  const bar = startProgressBar('collecting upstream metadata');
  const end = performance.now() + limitMs;
  // Workers handle versions in the order of their submission, more or less.
  for (let left = ids; left.length > 0; ) {
    const waiting = await listUnpinned(registry, left.slice(0, probed));
    left = [...waiting, ...left.slice(probed)];
    bar.update(1 - left.length / ids.length);
    if (waiting.length === 0) continue;
    if (performance.now() > end) {
      const [{ name, version } = { name: '', version: '' }] = left;
      throw new Error(`${left.length} versions have no metadata, such as ${name}@${version}`);
    }
    await delay(pauseMs);
  }
  bar.finish();
};

/** @throws {Error} if a version is refused, or has no upstream metadata within 20 minutes */
export const approvePackages = async (
  registry: Registry,
  ids: readonly PackageId[],
): Promise<void> => {
  const bar = startProgressBar(`approving ${ids.length} packages`);
  const groups = splitInto(maxItems, ids);
  for (const [at, group] of groups.entries()) {
    await post(registry, '/api/v1/submissions', { packages: group });
    const decisions = group.map((id) => ({ ...id, action: 'approve' }));
    await post(registry, '/api/v1/decisions', { decisions });
    bar.update((at + 1) / groups.length);
  }
  bar.finish();
  await waitUntilPinned(registry, ids);
};
