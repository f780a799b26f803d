import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import { describeUses } from '../../../shared/domain/projects/describe-uses.ts';
import { tryLoadUses } from '../../many/project-uses.ts';
import { formatCount, toOneLine } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';

/** Versions beyond these are counted, and not named. */
const maxNamed = 5;

/**
 * Loads the projects that use some versions, before these are rejected.
 * @returns a function that describes the uses of the rejected versions; undefined if there are none
 */
export const prepareUsesWarning = async (
  items: readonly object[],
  session: Pick<Session, 'client' | 'terminal'>,
): Promise<(rejected: readonly object[]) => string | undefined> => {
  const uses = await tryLoadUses(items, session);
  return (rejected) => {
    const used = rejected.flatMap((item) => {
      const found = uses?.get(item);
      return found && found.projects > 0
        ? [`${formatPackage(found)} by ${describeUses(found)}`]
        : [];
    });
    if (used.length === 0) return undefined;
    const more = used.length > maxNamed ? [`${formatCount(used.length - maxNamed)} more`] : [];
    return `Projects use what was rejected: ${[...used.slice(0, maxNamed), ...more].join('; ')}.`;
  };
};

/** Warns of the projects that use a rejected version. */
export const warnOfUses = async (rejected: object, session: Session): Promise<void> => {
  const findWarning = await prepareUsesWarning([rejected], session);
  const warning = findWarning([rejected]);
  if (warning) session.terminal.warn(toOneLine(warning));
};
