import type { Content, ContentSection, ContentTire } from '@tire/contracts/api';
import type { UseQueryResult } from '@tanstack/react-query';
import { ApiError } from '../../api/client';
import type { Texts } from '../../i18n/en';
import { useLanguage, useTexts } from '../../i18n/language';
import { Empty, Loaded } from '../../ui/listing';
import { Section } from '../../ui/page';
import { SeveritySign } from '../../ui/sign';
import { BrakingBars, isDrawn, isInBars } from './braking';
import { useMetrics } from './metrics';
import { rangedDepth, Value } from './values';

export function ContentOfReport({ query }: { query: UseQueryResult<Content> }) {
  const t = useTexts();
  const isLegacy = query.error instanceof ApiError && query.error.code === 'content_unavailable_for_legacy';
  return (
    <Section title={t.content.title} text={isLegacy ? undefined : t.content.text}>
      {isLegacy ? <Empty title={t.content.legacy} /> : <Loaded query={query}>{(content) => <Read content={content} />}</Loaded>}
    </Section>
  );
}

function Read({ content }: { content: Content }) {
  const t = useTexts();
  const { overall, tires, sections, content_profile } = content;
  if (content.status === 'failed') return <Empty title={t.content.failed} text={t.content.failedText} />;
  if (!overall) return <Empty title={t.content.pending} text={t.content.pendingText} />;
  return (
    <div className="content" lang={content_profile.locale}>
      <ul className="content-tires">
        {tires.map((tire) => (
          <TireVerdict key={tire.position} tire={tire} />
        ))}
      </ul>
      {sections
        .toSorted((a, b) => a.order - b.order)
        .map((section) => (
          <SectionOfContent key={section.section_id} section={section} />
        ))}
    </div>
  );
}

function TireVerdict({ tire }: { tire: ContentTire }) {
  const t = useTexts();
  const { language } = useLanguage();
  const { position_label, minimum_remaining_depth_mm: depthMm, severity, severity_label, decision_label, wear_pattern, narrative } = tire;
  const remaining = remainingText(t.content, tire, language);
  return (
    <li>
      <div className="slot-head">
        <h3>{position_label}</h3>
        <SeveritySign severity={severity} label={severity_label} />
      </div>
      <p className="depth">{depthMm === null ? '–' : rangedDepth(t.slots, depthMm, tire.depth_interval_mm)}</p>
      <p>{[decision_label, wear_pattern?.label].filter(Boolean).join(' · ')}</p>
      {wear_pattern && <p>{wear_pattern.description}</p>}
      {wear_pattern?.worn_shoulder && <p lang={language}>{t.content.shoulders[wear_pattern.worn_shoulder]}</p>}
      {narrative !== null && <p>{narrative}</p>}
      {remaining !== null && <p lang={language}>{remaining}</p>}
    </li>
  );
}

/** A range, with its assumption. Content has none for tires that are critical or of which too little is known. */
function remainingText(t: Texts['content'], { remaining_distance_km: range }: ContentTire, language: string): string | null {
  if (!range) return null;
  const [low, high] = range.map((km) => km.toLocaleString(language)) as [string, string];
  return range[0] === 0 ? t.remainingAtMost(high) : t.remaining(low, high);
}

function SectionOfContent({ section }: { section: ContentSection }) {
  const isBraking = isDrawn(section);
  const rows = useMetrics()(section).filter(({ name }) => !(isBraking && isInBars(name)));
  return (
    <section className="content-section">
      <div className="slot-head">
        <h3>{section.title}</h3>
        {section.badge_label !== null && <SeveritySign severity={section.severity} label={section.badge_label} />}
      </div>
      {section.paragraphs.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {isBraking && <BrakingBars section={section} />}
      {rows.length > 0 && (
        <dl className="values">
          {rows.map(({ label, value }) => (
            <Value key={label} label={label}>
              {value}
            </Value>
          ))}
        </dl>
      )}
    </section>
  );
}
