/** Reads of clients during the writes of others. Each read shows one moment between its start and its end. */
import * as z from 'zod';
import { PackageDetail, PackagePage } from '../../../shared/api/schemas/package.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { statuses } from '../../../shared/domain/review/status.ts';
import { toState } from '../../use-cases/review/history.ts';
import { askOnce } from './client.ts';
import { readMergedScan, readStatus, readWhole } from './model.ts';
import { keyOf } from './versions.ts';
import { pathOf, type Step, scansPathOf, selectorOf } from './writes.ts';

const get = ({ send }: Step, target: string) => askOnce(send, { method: 'GET', target });

export const readVersion = async (step: Step, id: PackageId): Promise<void> => {
  const { name, recorder } = step;
  const began = recorder.takeMoment();
  const answered = await get(step, `${pathOf(id)}?${selectorOf(id)}`);
  if (!answered || answered.status >= 500) return;
  const state =
    answered.status === 404 ? null : toState(PackageDetail.loose().parse(answered.body), 0);
  const apply = readWhole(state);
  const what = `${name} reads ${JSON.stringify(state)}`;
  recorder.note(what, id, { began, kind: 'done', apply });
};

const MergedScanBody = z.object({ status: z.string() });
const Missing = z.object({ code: z.string() });

export const readScans = async (step: Step, id: PackageId): Promise<void> => {
  const { name, recorder, isScanning } = step;
  const began = recorder.takeMoment();
  const answered = await get(step, `${scansPathOf(id)}?${selectorOf(id)}`);
  if (!answered || answered.status >= 500) return;
  const { body } = answered;
  const seen =
    answered.status === 200 ? MergedScanBody.parse(body).status : Missing.parse(body).code;
  const what = `${name} reads of scans ${seen}`;
  recorder.note(what, id, { began, kind: 'done', apply: readMergedScan(seen, { isScanning }) });
};

/** Records what a page shows of each version in its range. */
const notePage = (
  { name, recorder }: Step,
  ids: readonly PackageId[],
  { page, status, began }: { page: PackagePage; status?: string | undefined; began: number },
): void => {
  const shown = new Map(page.packages.map((item) => [keyOf(item), item.status]));
  for (const id of ids) {
    const seen = shown.get(keyOf(id));
    // A version that is not in the list of a status has another status, or does not exist.
    const apply = readStatus((is) =>
      seen === undefined && status !== undefined ? is !== status : is === seen,
    );
    const what = `${name} lists ${status ?? 'all'}: ${seen ?? 'absent'}`;
    recorder.note(what, id, { began, kind: 'done', apply });
  }
};

export const readList = async (
  step: Step,
  ids: readonly PackageId[],
  tag: string,
): Promise<void> => {
  const { random, recorder } = step;
  const status = random.below(2) === 0 ? random.pick(statuses) : undefined;
  const search = new URLSearchParams({ search: tag, limit: '1000', ...(status && { status }) });
  const began = recorder.takeMoment();
  const answered = await get(step, `/api/v1/packages?${search}`);
  if (answered?.status !== 200) return;
  notePage(step, ids, { page: PackagePage.parse(answered.body), status, began });
};

export const readVersions = async (
  step: Step,
  id: PackageId,
  ids: readonly PackageId[],
): Promise<void> => {
  const { recorder } = step;
  const began = recorder.takeMoment();
  const answered = await get(step, pathOf(id, `/versions?ecosystem=${id.ecosystem}`));
  if (!answered || answered.status >= 500) return;
  const ofName = ids.filter(
    ({ ecosystem, name }) => ecosystem === id.ecosystem && name === id.name,
  );
  const page =
    answered.status === 404
      ? { packages: [], total: 0, limit: 0, offset: 0 }
      : PackagePage.parse(answered.body);
  notePage(step, ofName, { page, began });
};
