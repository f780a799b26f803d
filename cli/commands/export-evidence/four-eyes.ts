import type { VersionEvidence } from '../../../shared/api/schemas/evidence.ts';
import type { HistoryEntry } from '../../../shared/api/schemas/history.ts';

/** Whether a version was approved by somebody other than its submitter, and how the registry knows. */
export interface FourEyes {
  readonly answer: 'yes' | 'no' | 'not known';
  readonly explanation: string;
}

type Submitter = Pick<VersionEvidence['package'], 'submitted_by' | 'submitted_token_label'>;
type Decider = Pick<HistoryEntry, 'by' | 'token_label' | 'rule'>;

/** Compares the labels of the tokens, which a request cannot choose. */
const compareTokens = (
  { submitted_token_label: submitted }: Submitter,
  { token_label: decided }: Decider,
): FourEyes => {
  if (submitted === null || decided === null) {
    return {
      answer: 'not known',
      explanation: 'No token with a label confirms the names of the submitter and the decider.',
    };
  }
  return submitted === decided
    ? { answer: 'no', explanation: `The token ${decided} submitted the version and approved it.` }
    : {
        answer: 'yes',
        explanation: `The token ${submitted} submitted the version, and the token ${decided} approved it.`,
      };
};

/** Returns whether the submitter and the decider of an approval differ, by their names and by the labels of their tokens. */
export const compareSubmitterAndDecider = (
  { package: detail, automatic }: Pick<VersionEvidence, 'package' | 'automatic'>,
  approval: Decider,
): FourEyes => {
  if (approval.rule !== null) {
    return {
      answer: 'no',
      explanation: `The rule ${approval.rule} of the policy approved the version. No person decided.`,
    };
  }
  // An install request has the token of the installation.
  if (automatic && automatic.cause !== 'install') {
    return {
      answer: 'no',
      explanation: 'The registry itself submitted the version, and one person approved it.',
    };
  }
  const { submitted_by } = detail;
  if (submitted_by !== null && submitted_by === approval.by) {
    return { answer: 'no', explanation: `${submitted_by} submitted the version and approved it.` };
  }
  return compareTokens(detail, approval);
};
