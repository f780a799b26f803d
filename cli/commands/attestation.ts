import { defineCommand } from '../framework/define-command.ts';
import { presentDecision, readStatement } from '../presentation/signed-decision.ts';

export const attestation = defineCommand('showAttestation', {
  name: 'attestation',
  examples: ['attestation lodash@4.17.21', 'attestation lodash@4.17.21 --json > lodash.json'],
  view: {
    presentAnswer: (answer) => {
      const statement = readStatement(answer);
      const key = answer.signatures[0]?.keyid;
      return { ...(statement && presentDecision(statement)), key };
    },
  },
});
