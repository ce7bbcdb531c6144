import type { Findings, TireFinding } from '../verdicts/findings';
import type { Severity } from '../verdicts/severity';

export interface SectionText {
  readonly title: string;
  readonly badge: string | null;
  readonly paragraphs: readonly string[];
}

export interface TireText {
  readonly positionLabel: string;
  readonly decisionLabel: string;
  readonly narrative: string | null;
  readonly wear: { readonly label: string; readonly description: string } | null;
}

/** The texts of a report. The output of an issued version must not change: new texts are a new version in a new file. */
export interface Copy {
  readonly version: string;
  readonly locale: string;
  severityLabel(severity: Severity): string;
  overall(findings: Findings): { readonly headline: string; readonly paragraphs: readonly string[] };
  tire(tire: TireFinding, findings: Findings): TireText;
  treadWear(findings: Findings): SectionText;
  brakingDistance(findings: Findings): SectionText;
  wearPattern(findings: Findings): SectionText;
  positionVariance(findings: Findings): SectionText;
  sidewallSpec(findings: Findings): SectionText;
}
