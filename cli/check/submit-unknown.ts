import type { UsedVersion } from '../../shared/checking/findings.ts';
import { routes } from '../../shared/routes.ts';
import { Submission } from '../../shared/schemas/submission.ts';
import { cutIntoBatches } from '../many/batches.ts';
import { type Outcome, throwFault } from '../many/outcomes.ts';
import { type SendItems, sendBatches } from '../many/send-many.ts';
import { toOneLine } from '../output/text.ts';
import type { Session } from '../session/session.ts';

/** What a submission says of a version that a project uses. A license that the registry would refuse is left to the reviewer. */
const toSubmission = ({ dependency }: UsedVersion, justification: string | undefined) => {
  const { ecosystem, name, version, license } = dependency;
  const isSaid = Submission.in.shape.license.safeParse(license).success;
  return {
    ...{ ecosystem, name, version },
    ...(license !== undefined && isSaid && { license }),
    ...(justification !== undefined && { justification }),
  };
};

/** Somebody else submitted it meanwhile: that will do. */
const isThere = ({ result }: Outcome): boolean =>
  !('problem' in result) || result.problem.code === 'package_exists';

const describeFailure = ({ item, result }: Outcome): string => {
  const why = 'problem' in result ? result.problem.detail : '';
  return toOneLine(`${item['name']} ${item['version']} was not submitted: ${why}`);
};

/**
 * Submits versions for review, and warns of each that was refused or failed. The same again does nothing twice.
 * @throws {RequestError} where the registry could not be reached; after all others, where it failed at one
 */
export const submitUnknown = async (
  used: readonly UsedVersion[],
  justification: string | undefined,
  session: Session,
): Promise<void> => {
  const { client, terminal } = session;
  const { path } = routes.submitPackages;
  const items = used.map((one) => toSubmission(one, justification));
  const send: SendItems = async (some, options) =>
    (await client.submitPackages({ body: { packages: [...some] as typeof items } }, options))
      .results;
  const left: Outcome[] = [];
  for await (const outcomes of sendBatches(cutIntoBatches(items, path, undefined), send, session)) {
    const failed = outcomes.filter((outcome) => !isThere(outcome));
    for (const outcome of failed) terminal.warn(describeFailure(outcome));
    left.push(...failed);
  }
  throwFault(left);
};
