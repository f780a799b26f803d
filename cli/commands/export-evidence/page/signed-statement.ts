import type { Attestation } from '../../../../shared/api/schemas/attestation.ts';
import { html, type Markup } from '../../../output/html.ts';
import { readStatement, type Statement } from '../../../presentation/signed-decision.ts';
import type { EvidenceReport, ReportAttestation } from '../report.ts';
import { actorOf, fieldsOf, tableOf, timeOf, toned } from './parts.ts';

const reasons: Readonly<Record<NonNullable<ReportAttestation['missing']>, string>> = {
  decision_not_found: 'No decision is in force on the version, so that there is nothing to sign.',
  not_signed_yet: 'The decision is not signed yet. Export the report again later.',
  signing_disabled: 'This registry does not sign decisions.',
  not_loaded: 'The registry did not return the signed statement. Export the report again.',
};

/** Lists each digest of the statement with the name of its subject. */
const listDigests = ({ subject }: Statement) =>
  subject.flatMap(({ name, digest }) =>
    Object.entries(digest).map(([algorithm, value]) => ({ name, digest: `${algorithm}:${value}` })),
  );

const writeStatement = (statement: Statement): Markup => {
  const { decision, decidedAt, expiresAt, decidedBy, rule, evidence, omittedFiles } =
    statement.predicate;
  const { name: by, tokenLabel: token_label } = decidedBy;
  return html`${fieldsOf([
    ['Decision', toned(decision)],
    ['Decided at', timeOf(decidedAt)],
    ['Decided by', rule === null ? actorOf({ by, token_label }) : `the policy, rule ${rule}`],
    ...(decision === 'approved' ? [['Expires at', timeOf(expiresAt)] as const] : []),
    [
      'SHA-256 of the evidence',
      evidence.sha256 === null ? 'none' : html`<span class="digest">${evidence.sha256}</span>`,
    ],
  ])}
${tableOf(
  listDigests(statement),
  [
    { title: 'Subject', value: ({ name }) => name },
    { title: 'Digest', value: ({ digest }) => digest, kind: 'digest' },
  ],
  { none: 'The statement has no digests of files.' },
)}
${
  omittedFiles > 0
    ? html`<p class="warn">The statement covers ${omittedFiles} more files without a digest.</p>`
    : null
}`;
};

/** Says how anybody checks the statement, and has it in the form that `registry verify` reads. */
const writeCheck = (envelope: Attestation): Markup =>
  html`<h3>Check the signature</h3>
<p>This report has not checked the signature. Anybody can, without the registry: save the text below as <code>statement.json</code>, and the public keys that you trust as <code>keys.json</code>. The command <code>registry keys --json &gt; keys.json</code> saves the public key of the registry. Then run:</p>
<p><code>registry verify statement.json --keys keys.json</code></p>
<p class="for-print">The text is in the HTML file of this report.</p>
<pre class="digest envelope" id="envelope">${JSON.stringify(envelope)}</pre>`;

/** Writes the signed statement of the decision in force, or why there is none. */
export const writeSignedStatement = ({
  attestation: { envelope, missing },
}: EvidenceReport): Markup => {
  if (!envelope) {
    return html`<p class="${missing === 'not_loaded' ? 'bad' : 'quiet'}">${
      reasons[missing ?? 'not_loaded']
    }</p>`;
  }
  const statement = readStatement(envelope);
  const keys = envelope.signatures.map(({ keyid }) => keyid).join(', ');
  return html`<p>The registry signed its decision with the key <code>${keys}</code>. The signature has no time of its own.</p>
${
  statement
    ? writeStatement(statement)
    : html`<p class="bad">The statement has a form that this command does not know.</p>`
}
${writeCheck(envelope)}`;
};
