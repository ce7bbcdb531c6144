import { SANDBOX_NAMES, sandboxAddress, sandboxPhotograph, type SandboxName, type SlotId } from '@tire/kernel';
import { recordedMeasurements, type RecordedMeasurement } from './photographs';
import { SANDBOX_SCENARIOS, type SandboxScenario, type ScenarioEnd } from './scenarios';
import { GUIDE_WORDS, type GuideLanguage, type GuideWords } from './guide-words';

/** What a slot with this photograph gets, in words. */
function resultOf(name: SandboxName, recorded: RecordedMeasurement | undefined, words: GuideWords): string {
  const { errorCode, atFetch, firstErrorCode, afterMs, contentFails, callbackFailures } = sandboxPhotograph(name);
  if (errorCode) return `${atFetch ? words.failsAtFetch : words.fails} \`${errorCode}\``;
  const also = [
    ...(firstErrorCode ? [words.failsFirst(firstErrorCode)] : []),
    ...(afterMs ? [words.after(afterMs / 1000)] : []),
    ...(contentFails ? [words.contentFails] : []),
    ...(callbackFailures ? [words.callbackFails(callbackFailures)] : []),
  ];
  return [measuredOf(recorded?.outcome, words), ...also].join('; ');
}

function measuredOf(outcome: RecordedMeasurement['outcome'], words: GuideWords): string {
  switch (outcome?.$case) {
    case 'tread': {
      const depths = outcome.value.individualRemainingDepthMm;
      return depths.length > 0 ? words.lowest(Math.min(...depths).toFixed(1)) : words.wornSmooth;
    }
    case 'sidewall': {
      const { size } = outcome.value;
      return size ? words.size(`${size.sectionWidthMm}/${size.aspectRatioPercent} R${size.rimDiameterInch}`) : words.unread;
    }
    default:
      throw new Error('A photograph without a recorded measurement has an error code');
  }
}

const photographRow = (name: SandboxName, recorded: RecordedMeasurement | undefined, words: GuideWords): string =>
  `| [${name}](/docs/sandbox/${name}.jpg) | ${words.types[sandboxPhotograph(name).imageType]} | ${resultOf(name, recorded, words)} |`;

function endOf({ analysisStatus, summaryStatus, severity, failed, warnings }: ScenarioEnd, words: GuideWords): string {
  return [
    `\`analysis_status: ${analysisStatus}\``,
    ...(summaryStatus === analysisStatus ? [] : [`\`summary_status: ${summaryStatus}\``]),
    severity ? words.severity(severity) : words.noContent,
    ...Object.entries(failed ?? {}).map(([slot, code]) => `\`${slot}\`: \`${code}\``),
    ...(warnings ?? []).map((code) => `\`warnings\`: \`${code}\``),
  ].join(', ');
}

/** Only the photographs in which a scenario differs from the good car. */
function photographsOf({ photographs, template }: SandboxScenario, words: GuideWords): string {
  const good = SANDBOX_SCENARIOS.find((scenario) => scenario.template === template)!.photographs;
  const own = (Object.entries(photographs) as [SlotId, SandboxName][]).filter(([slot, name]) => good[slot] !== name);
  return own.length === 0 ? words.goodCar : own.map(([slot, name]) => `\`${slot}\`: ${name}`).join(', ');
}

function scenarioRow(scenario: SandboxScenario, language: GuideLanguage, words: GuideWords): string {
  const { title, template, end, then, afterMs, callbackAttempts } = scenario;
  const action = then && (then.action === 'analyze' ? words.analyze : words.replace(Object.values(then.action.replace).join(', ')));
  const results = [
    endOf(end, words),
    ...(afterMs ? [words.after(afterMs / 1000)] : []),
    ...(callbackAttempts ? [words.attempts(callbackAttempts)] : []),
    ...(then ? [`${action}: ${endOf(then.end, words)}`] : []),
  ];
  return `| ${title[language]} | \`${template}\` | ${photographsOf(scenario, words)} | ${results.join('; ')} |`;
}

/** The page of the guide about the sandbox, as Markdown. A test compares it with the file. */
export function sandboxGuide(language: GuideLanguage): string {
  const words = GUIDE_WORDS[language];
  const recorded = recordedMeasurements();
  return `${words.page({
    address: sandboxAddress('tread-front-left'),
    photographs: SANDBOX_NAMES.map((name) => photographRow(name, recorded.get(name), words)).join('\n'),
    scenarios: SANDBOX_SCENARIOS.map((scenario) => scenarioRow(scenario, language, words)).join('\n'),
  })}`;
}
