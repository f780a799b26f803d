import type { HeldRecallDecision } from '../../shared/api/schemas/held-recall.ts';
import { defineCommand } from '../framework/define-command.ts';
import { formatWithSentence } from '../output/details.ts';
import type { Output } from '../output/terminal.ts';

const showDecision = (decided: HeldRecallDecision, output: Output): readonly string[] => {
  const { record, decision, versions } = decided;
  const what =
    decision === 'recall'
      ? `${record} is confirmed: the registry recalls the versions that it names within minutes (${versions} when it was put on hold).`
      : `${record} is dismissed: the versions that it names stay approved.`;
  return formatWithSentence(what, decided, output);
};

export const recall = defineCommand('decideHeldRecall', {
  name: 'recall',
  examples: [
    'recall MAL-2026-4711 --reason "Confirmed by our security team"',
    'recall MAL-2026-4711 --decision dismiss --reason "Names clean versions, OSV has our report"',
  ],
  arguments: { id: 'the held record of malware, such as MAL-2026-4711' },
  flags: {
    decision: {
      description: 'recall the versions that the record names, or dismiss it as a false alarm',
    },
    reason: { description: 'why; it is kept with the decision' },
    held_at: {
      description: 'the `held_at` that you saw; refused if the record was put on hold again since',
    },
  },
  view: { formatAnswer: showDecision },
});
