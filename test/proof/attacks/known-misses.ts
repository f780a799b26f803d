/** Attacks of the data that the registry does not stop, each with the reason. Any other one fails the proof. */
export const knownMisses: Readonly<Record<string, string>> = {
  'typosquat10-2025-10':
    'Four months passed between publication and record, and nobody removed it: a rule approves it after 7 days. The record recalls it',
  'node-ipc-2022-03':
    'No record of malware, and no known removal. The scan keeps rules from an approval, but recalls nothing',
  'colors-2022-01':
    'No record of malware, and no known removal. The scan keeps rules from an approval, but recalls nothing',
  'coa-2021-11':
    'No record of malware, and no known removal time. Scan and install script keep rules from an approval, but recall nothing',
  'rc-2021-11':
    'No record of malware, and no known removal time. Scan and install script keep rules from an approval, but recall nothing',
  'event-stream-2018':
    'No public sign for 78 days. Rules leave it to people because of its publisher. If one approves it, the record of 2025 is a bare range, and too late for a recall without people',
};

/** Attacks and false alarms that are not replayed, each with the reason. */
export const notReplayed: Readonly<Record<string, string>> = {
  'rspack-2024-12': 'no time of the removal, and no record',
  'torchtriton-2022-12': 'no version number, no time of the removal, and no record',
  'trivy-docker-2026-03':
    'images: no feed names them, and no rule approves them, because OSV.dev does not scan them. An approval by hand pins the digest, and nothing recalls it',
  'xz-debian-images-2024':
    'images: no feed names them, and no rule approves them, because OSV.dev does not scan them. An approval by hand pins the digest, and nothing recalls it',
  'antv-color-util-2026': 'no time of the record',
  'stylus-2025-07': 'no record of malware: an advisory with another id',
  'scfw-dotenv-expand-2026-08': 'another feed',
};
