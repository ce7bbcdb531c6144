import 'reflect-metadata';
import { letHeapGrow } from './process/heap-growth';
import { startTelemetry } from './telemetry/sdk';

letHeapGrow();
startTelemetry();
