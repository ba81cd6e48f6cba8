/** A call of a service method by another plugin. */
export interface MeasuredServiceCall {
  /** Name of the plugin that asked. */
  caller: string;
  /** That answered. */
  plugin: { name: string; version: string };
  service: string;
  method: string;
  hasFailed: boolean;
  seconds: number;
}

/** Hears of calls of services; must not throw. */
export interface ServiceMeasures {
  serviceCalled(call: MeasuredServiceCall): void;
}
