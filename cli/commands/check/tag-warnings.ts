import { explainTag, listPinnedTags } from '../../../shared/use-cases/dependency-check/tags.ts';
import { formatCount, toOneLine } from '../../output/text.ts';
import { formatWhere } from './outputs/places.ts';
import type { CheckReport } from './report.ts';

/** Images beyond these are counted, and not named. */
const mostNamed = 20;

const withPlaces = (text: string, where: string): string =>
  toOneLine(where === '' ? text : `${where}: ${text}`);

const countMore = (count: number, what: string): string[] =>
  count > mostNamed
    ? [`And ${formatCount(count - mostNamed)} more ${what}, which --json lists.`]
    : [];

/** Lists the allowed images without a digest whose approvals pinned one, one line each. */
export const listTagWarnings = ({ packages }: Pick<CheckReport, 'packages'>): readonly string[] => {
  const tags = listPinnedTags(packages);
  return [
    ...tags.slice(0, mostNamed).map((tag) => withPlaces(explainTag(tag), formatWhere(tag))),
    ...countMore(tags.length, 'tags'),
  ];
};

/** Lists what `--fix` changed, and what it could not change, one line each. */
export const listFixes = ({
  fixed,
  not_fixed,
}: Pick<CheckReport, 'fixed' | 'not_fixed'>): readonly string[] => {
  const done = (fixed ?? []).map((one) =>
    withPlaces(`${one.image} is now ${one.pinned}.`, formatWhere({ found_in: [one] })),
  );
  const left = (not_fixed ?? []).map((one) =>
    withPlaces(`${one.image} was not fixed. ${one.message}`, formatWhere({ found_in: [one] })),
  );
  return [...done, ...left];
};

const nameImages = (count: number): string =>
  count === 1 ? '1 allowed image is a tag' : `${formatCount(count)} allowed images are tags`;

/** Returns the number of allowed tags, and of the digests that `--fix` wrote, one sentence each. */
export const remarkOnTags = ({ tags, fixed, files }: CheckReport): string[] => {
  const written = fixed?.length ?? 0;
  const advice =
    fixed === null && files.length > 0 ? ': registry check --fix writes the digests' : '';
  return [
    ...(fixed === null
      ? []
      : [`${formatCount(written)} ${written === 1 ? 'image was' : 'images were'} pinned.`]),
    ...(tags.pinned === 0 ? [] : [`${nameImages(tags.pinned)} without a digest${advice}.`]),
    ...(tags.not_pinned === 0
      ? []
      : [`${nameImages(tags.not_pinned)} whose approval pinned no digest.`]),
  ];
};
