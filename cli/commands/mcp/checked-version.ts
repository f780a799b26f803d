import type { Checked } from '../check/checked.ts';
import { clean, quote } from './quote.ts';

/** The characters of all reasons in one answer, approximately: each reason keeps at least the minimum. */
const roomForReasons = 20_000;
const fewestPerReason = 80;
const mostPerReason = 500;
const mostReasons = 5;
const longestName = 300;

const cleanName = (text: string | null): string | null =>
  text === null ? null : clean(text, longestName);

/** Cleans and shortens the statuses of versions. */
export const cleanChecked = (checked: readonly Checked[]): Checked[] => {
  const count = checked.reduce(
    (sum, { reasons }) => sum + Math.min(mostReasons, reasons.length),
    0,
  );
  const share = Math.floor(roomForReasons / Math.max(1, count));
  const most = Math.min(mostPerReason, Math.max(fewestPerReason, share));
  return checked.map((one) => ({
    ecosystem: one.ecosystem,
    name: cleanName(one.name),
    version: cleanName(one.version),
    status: one.status,
    allowed: one.allowed,
    expires_at: one.expires_at,
    ...(one.content !== undefined && { content: one.content }),
    ...(one.pinned_digest !== undefined && { pinned_digest: one.pinned_digest }),
    reasons: one.reasons.slice(0, mostReasons).map(({ code, message }) => ({
      code,
      message: clean(message, most),
    })),
    rule: cleanName(one.rule),
    waits_for: one.waits_for.slice(0, mostReasons).map((wait) => clean(wait, longestName)),
    waits_until: cleanName(one.waits_until),
    ...(one.nearest_approved !== undefined && {
      nearest_approved: cleanName(one.nearest_approved),
    }),
  }));
};

const describeNearest = ({ allowed, nearest_approved: nearest }: Checked): string[] => {
  if (allowed || nearest === undefined) return [];
  return [`nearest approved version: ${nearest === null ? 'none' : quote(nearest)}`];
};

const describedContents = {
  same: 'as reviewed',
  other: 'other files than reviewed',
  unknown: 'not compared, since the registry has no hashes of them',
} as const;

/** Describes the status of a version in one line. `title` names a version that the registry could not parse. */
export const describeChecked = (one: Checked, title: string): string => {
  const { ecosystem, name, version, status, allowed, expires_at, reasons, content } = one;
  const { pinned_digest } = one;
  const known =
    name === null ? quote(title) : `${ecosystem} ${quote(name)} ${quote(version ?? '')}`;
  const facts = [
    ...reasons.map(({ code, message }) => `${code}: ${quote(message)}`),
    ...(content === undefined ? [] : [`its files: ${describedContents[content]}`]),
    ...(pinned_digest === undefined ? [] : [`its digest at approval: ${pinned_digest}`]),
    ...(expires_at === null ? [] : [`approved until ${quote(expires_at)}`]),
    ...describeNearest(one),
  ];
  return `- ${known}: ${status}, ${allowed ? 'may be used' : 'may not be used'}${facts.map((fact) => `; ${fact}`).join('')}`;
};
