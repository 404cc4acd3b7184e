"""The page in Chromium. A package, so that its tests share a browser and a server."""
