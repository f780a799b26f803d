import type { Acceptance } from '../../../../shared/api/schemas/acceptance.ts';
import type { HistoryEntry } from '../../../../shared/api/schemas/history.ts';
import { listRecallRecords, nameRecallRecord } from '../../../../shared/domain/recalls/recall.ts';
import { type Content, html, type Markup } from '../../../output/html.ts';
import { describeLicenseEvidence } from '../../../presentation/license-evidence.ts';
import {
  type ApprovalEnd,
  findApprovalEnd,
  findLastApproval,
  type LastApproval,
} from '../approvals.ts';
import { compareWithToday, findNewVulnerabilities } from '../changes-since.ts';
import { compareSubmitterAndDecider } from '../four-eyes.ts';
import type { EvidenceReport } from '../report.ts';
import { describeRecordScan } from './describe-scan.ts';
import { describeNoApproval } from './no-approval.ts';
import { actorOf, formatTime, listOf, quoteOf, timeOf, toned } from './parts.ts';
import { describeScopeOf } from './scope.ts';

const explainEnd = (end: ApprovalEnd): Markup => {
  switch (end.kind) {
    case 'entry':
      return html`${end.entry.type.replace('package.', '')} by ${actorOf(end.entry)} at ${timeOf(end.entry.at)}`;
    case 'expiry':
      return html`expired at ${timeOf(end.at)}`;
    case 'status':
      return html`the version is ${toned(end.status)} today`;
  }
};

/** Says that an approval is no longer in force. */
const describeEnd = (end: ApprovalEnd | undefined): Markup | null =>
  end ? html`<p class="bad">This approval is no longer in force: ${explainEnd(end)}.</p>` : null;

const answerWho = (report: EvidenceReport, last: LastApproval): Markup => {
  const { approval } = last;
  const { answer, explanation } = compareSubmitterAndDecider(report.evidence, approval);
  const decider = approval.rule === null ? actorOf(approval) : `the policy, rule ${approval.rule}`;
  return html`<p><strong>${decider}</strong></p>${describeEnd(findApprovalEnd(report, last))}
<p>Reason: ${quoteOf(approval.reason, 'none given')}</p>
<p>Four eyes: ${toned(answer)}. ${explanation}</p>`;
};

const answerWhen = ({ approval, first }: LastApproval): Markup => {
  const isRenewal = first !== approval;
  return html`<p>${isRenewal ? 'Last approved at ' : ''}${timeOf(approval.at)}, ${
    approval.expires_at === null
      ? 'without an expiry date'
      : html`until ${timeOf(approval.expires_at)}`
  }.</p>${
    isRenewal ? html`<p>First approved at ${timeOf(first.at)} by ${actorOf(first)}.</p>` : null
  }`;
};

const answerEvidence = ({ approval }: LastApproval): Markup => {
  const { evidence } = approval;
  if (!evidence) return html`<p class="bad">The history has no evidence of this approval.</p>`;
  const { scans, license, facts, merged_scan } = evidence;
  return listOf(
    [
      scans.length === 0
        ? 'No scan.'
        : html`Scan result ${toned(merged_scan.status)}, from ${scans.map((scan, at) => [
            at > 0 ? '; ' : '',
            describeRecordScan(scan),
          ])}.`,
      `License: ${describeLicenseEvidence(license)}.`,
      facts === null
        ? 'No upstream metadata.'
        : html`Upstream metadata of ${timeOf(facts.checked_at)}.`,
    ],
    '',
  );
};

const describeAcceptance = (acceptance: Acceptance): Content =>
  html`<strong>${acceptance.id}</strong> by ${acceptance.by ?? 'no name'} until ${timeOf(
    acceptance.expires_at,
  )}, ${describeScopeOf(acceptance)}: ${quoteOf(acceptance.reason)}`;

const describeOverride = ({ overridden, ...approval }: HistoryEntry): Content =>
  html`<strong>${overridden.join(', ')}</strong> overridden by ${actorOf(approval)}, ${
    approval.expires_at === null
      ? 'without an expiry date'
      : html`until ${timeOf(approval.expires_at)}`
  }: ${quoteOf(approval.reason)}`;

const answerRisks = (report: EvidenceReport, last: LastApproval): Markup => {
  const { acceptances, exported_at } = report;
  const { approval } = last;
  const isInForce = findApprovalEnd(report, last) === undefined;
  const active = acceptances.filter(({ ended }) => ended === null);
  const ended = acceptances.length - active.length;
  const items = [
    ...(approval.overridden.length > 0 && isInForce ? [describeOverride(approval)] : []),
    ...active.map(describeAcceptance),
  ];
  return html`${listOf(items, `No risk is accepted at ${formatTime(exported_at)}.`)}${
    ended > 0
      ? html`<p class="quiet">Acceptances that have ended: ${ended}. See Risk acceptances.</p>`
      : null
  }`;
};

const answerChanges = (report: EvidenceReport, { approval }: LastApproval): Markup => {
  const { evidence, history, scans_of_approval } = report;
  const compared = approval.evidence ? compareWithToday(approval.evidence, evidence) : [];
  const found = findNewVulnerabilities(evidence, scans_of_approval);
  const later = history.filter(({ at }) => at > approval.at).length;
  const items: Content[] = [
    ...(evidence.recall
      ? [
          html`<span class="bad">Recalled: ${listRecallRecords(evidence.recall)
            .map(nameRecallRecord)
            .join(', ')}</span>`,
        ]
      : []),
    ...compared
      .filter(({ then, now }) => then !== now)
      .map(({ what, then, now }) => html`${what}: ${then} → <strong>${now}</strong>`),
    ...(found.length > 0
      ? [html`New open vulnerabilities: ${found.map(({ id }) => id).join(', ')}`]
      : []),
    ...(later > 0 ? [`Later entries in the history: ${later}`] : []),
  ];
  return listOf(items, 'Nothing that the registry knows.');
};

const writeAnswers = (answers: readonly (readonly [string, Content])[]): Markup =>
  html`<dl class="answers">${answers.map(
    ([question, answer]) => html`<div><dt>${question}</dt><dd>${answer}</dd></div>`,
  )}</dl>`;

const questions = [
  'Who let it in?',
  'When?',
  'On what evidence?',
  'Who accepted which risk, until when?',
  'What changed since?',
] as const;

/** Returns the five answers at the top of a report. */
export const answersOf = (report: EvidenceReport): Markup => {
  const [who, when, evidence, risks, changes] = questions;
  const last = findLastApproval(report.history);
  if (!last) {
    return writeAnswers([[who, html`<p><strong>${describeNoApproval(report)}</strong></p>`]]);
  }
  return writeAnswers([
    [who, answerWho(report, last)],
    [when, answerWhen(last)],
    [evidence, answerEvidence(last)],
    [risks, answerRisks(report, last)],
    [changes, answerChanges(report, last)],
  ]);
};
