/** A phrase that the project does not use, and what to write instead. */
export interface Phrase {
  readonly name: string;
  readonly pattern: RegExp;
  readonly instead: string;
}

const phrase = (name: string, pattern: RegExp, instead: string): Phrase => ({
  name,
  pattern,
  instead,
});

/** Phrases that are refused in pages, screens, messages, help, comments and names. */
export const phrases: readonly Phrase[] = [
  phrase('stands in the way', /\bst(and|ands|ood|anding) in (the|its|their) way\b/gi, 'blocks'),
  phrase('speaks against', /\b(speaks?|spoke|something|anything|nothing) against\b/gi, 'issue'),
  phrase('runs out', /\b(ran|run|runs|running) out\b/gi, 'expires, expired, expiring soon'),
  phrase('another end', /\banother end\b/gi, 'a new expiry date'),
  phrase(
    'taken back',
    /\b(take|takes|taken|taking|took) (it |that |them |one )?back\b/gi,
    'yanked, deprecated, unpublished, withdrawn, undone',
  ),
  phrase('live with it', /\bliv(e|ed|es|ing) with\b/gi, 'accept the risk; risk acceptance'),
  phrase(
    'its origin says',
    /\borigins? (say|says|said)\b/gi,
    'according to npm; upstream metadata',
  ),
  phrase('the package itself says', /\bpackage itself says\b/gi, "the package's own metadata"),
  phrase('broke', /\bbroke\b/gi, 'failed; scan error'),
  phrase('stands on', /\b(stands|stood|standing|rests|rested) on\b/gi, 'evidence of the decision'),
  phrase(
    'worst in what is approved',
    /\bworst in what\b/gi,
    'Top vulnerabilities in approved packages',
  ),
  phrase('nobody ever submitted it', /\bnobody (ever )?submitted\b/gi, 'not in the registry'),
  phrase('told', /\b(told|tells|telling)\b/gi, 'reports, lists, shows, says'),
  phrase('held by a rule', /\bheld by (a|the) rule\b/gi, 'needs manual review (rule NAME)'),
  phrase('bill of materials', /\bbills? of materials?\b/gi, 'SBOM'),
  phrase('asked for itself', /\basked for (itself|themselves)\b/gi, 'direct; transitive via'),
  phrase('overrode', /\boverrode\b/gi, 'overridden'),
  phrase('wanted because', /\bwanted because\b/gi, 'justification'),
  phrase('nothing that counts', /\bnothing that counts\b/gi, 'no open vulnerabilities'),
  phrase('in clear', /\bin clear\b/gi, 'plaintext'),
  phrase('whoever', /\bwho(m|se)?ever\b/gi, 'a noun: the reviewer, the caller, the reader'),
  phrase('the same of', /\bthe same of\b/gi, 'the whole sentence, with its noun'),
  phrase('gainsay', /\bgainsay\b/gi, 'contradict'),
  phrase(
    'passive of ask, stand, hold, tell, go on',
    /\b(is|are|was|were|be|been|being) (asked|stood|held|gone on)\b/gi,
    'an active verb with its subject',
  ),
  phrase('picture', /\bpictures?\b/gi, 'merged scan'),
  phrase('slot', /\bslots?\b/gi, 'scan source'),
  phrase('ordinal', /\bordinals?\b/gi, 'sequence number'),
  phrase('witness', /\bwitness(es)?\b/gi, 'commit marker'),
  phrase('setback', /\bsetbacks?\b/gi, 'retryable failure'),
  phrase('patience', /\bpatience\b/gi, 'retry options'),
  phrase('coarse and fine', /\b(coarse|fine) (blocks?|counters?|ones)\b/gi, 'bucket'),
  phrase('mend', /\bmend(s|ed|ing)?\b/gi, 'repair, fix'),
];
