export { sandboxGuide } from './guide';
export { sandboxManifest } from './manifest';
export { recordedMeasurements, sandboxBytes } from './photographs';
export { SANDBOX_SCENARIOS, type SandboxScenario, type ScenarioEnd } from './scenarios';
