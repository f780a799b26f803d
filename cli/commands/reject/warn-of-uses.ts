import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import { describeUses } from '../../../shared/domain/projects/describe-uses.ts';
import { tryLoadUses } from '../../many/project-uses.ts';
import { formatCount, toOneLine } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';

/** Versions beyond these are counted, and not named. */
const maxNamed = 5;

/** Warns of the projects that use rejected versions. */
export const warnOfUses = async (rejected: readonly object[], session: Session): Promise<void> => {
  const uses = await tryLoadUses(rejected, session);
  const used = [...(uses?.values() ?? [])]
    .filter(({ projects }) => projects > 0)
    .map((one) => `${formatPackage(one)} by ${describeUses(one)}`);
  if (used.length === 0) return;
  const more = used.length > maxNamed ? [`${formatCount(used.length - maxNamed)} more`] : [];
  const named = [...used.slice(0, maxNamed), ...more].join('; ');
  session.terminal.warn(toOneLine(`Projects use what was rejected: ${named}.`));
};
