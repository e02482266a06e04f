"""Those who plan, summarise and write, behind the Analyst seam."""
