import 'reflect-metadata';
import { startTelemetry } from './telemetry/sdk';

startTelemetry();
