/** What content says of a car, worst first: its severity, and whether the legal limit of a tire may be reached already. */
export const VERDICTS = ['critical', 'near_limit', 'caution', 'good', 'unknown'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What lists show of a report: the verdict, or why there is none. `unjudged`: measured, and the verdict is not known yet. */
export const STANDINGS = [...VERDICTS, 'unjudged', 'content_failed', 'awaiting_images', 'processing', 'partial', 'failed'] as const;
export type Standing = (typeof STANDINGS)[number];

/** The groups of the worklist, the most urgent first. */
export const URGENCIES = ['critical', 'near_limit', 'caution', 'good', 'not_measured'] as const;
export type Urgency = (typeof URGENCIES)[number];

export const standingsOf = (urgency: Urgency): readonly Standing[] =>
  urgency === 'not_measured' ? STANDINGS.filter((standing) => !URGENCIES.some((each) => each === standing)) : [urgency];

/** `unread`: no member has opened the report since its latest result. `handled`: somebody marked that nothing is left to do. */
export const ATTENTIONS = ['unread', 'read', 'handled'] as const;
export type Attention = (typeof ATTENTIONS)[number];

export const isVerdict = (text: string | undefined): text is Verdict => VERDICTS.some((verdict) => verdict === text);
