/** The manufacturers that an export of a project includes. */
import { type Route, route, SessionId, Type } from "@slipway/sdk";
import { manufacturersOf } from "../selection/manufacturers.js";

/** Interface document, section 2.9. */
const Manufacturer = Type.Object({ manufacturerId: Type.String(), manufacturerName: Type.String() });

export function manufacturersRoute(): Route {
  return route.post("manufacturers.json", {
    summary: "Lists the manufacturers of the session's project, to choose which ones are exported.",
    body: Type.Object({ sessionId: SessionId }),
    response: Type.Array(Manufacturer),
    session: "required",
    handler: async ({ session, locale }) => manufacturersOf(await session.project(), locale),
  });
}
